// SPDX-License-Identifier: Apache-2.0
//
// The C callbacks of a subgraph's TfLiteContext. Those that can change the graph work only while a
// delegate is being applied; otherwise a stub stands in their place.
#include <cstdarg>
#include <cstring>

#include "runtime/arena_planner.h"
#include "runtime/delegate_records.h"
#include "runtime/owned_constants.h"
#include "runtime/subgraph_profiler.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite {

class SubgraphContextCalls {
 public:
  static Subgraph* Of(const TfLiteContext* context) {
    return static_cast<Subgraph*>(context->impl_);
  }

  static TfLiteStatus ResizeTensor(TfLiteContext* context, TfLiteTensor* tensor,
                                   TfLiteIntArray* new_size) {
    return Of(context)->ResizeTensor(tensor, new_size);
  }
  static void ReportError(TfLiteContext* context, const char* format, ...) {
    va_list args;
    va_start(args, format);
    Of(context)->ReportErrorImpl(format, args);
    va_end(args);
  }
  static TfLiteStatus AddTensors(TfLiteContext* context, int count, int* first_new_index) {
    return Of(context)->AddTensors(count, first_new_index);
  }
  static TfLiteExternalContext* GetExternalContext(TfLiteContext* context,
                                                   TfLiteExternalContextType type) {
    Subgraph* subgraph = Of(context);
    if (type < 0 || type >= kTfLiteMaxExternalContexts) return nullptr;
    return subgraph->external_contexts_ != nullptr ? subgraph->external_contexts_[type] : nullptr;
  }
  static void SetExternalContext(TfLiteContext* context, TfLiteExternalContextType type,
                                 TfLiteExternalContext* external_context) {
    Subgraph* subgraph = Of(context);
    if (type < 0 || type >= kTfLiteMaxExternalContexts) return;
    if (subgraph->external_contexts_ != nullptr) {
      subgraph->external_contexts_[type] = external_context;
    }
  }
  static TfLiteStatus GetModelMetadata(const TfLiteContext* context, const char* name,
                                       const char** data, size_t* bytes) {
    return Of(context)->GetModelMetadata(name, data, bytes);
  }

  static TfLiteStatus AcquireSubgraphContext(TfLiteContext* context, int index,
                                             TfLiteContext** acquired) {
    return Of(context)->AcquireSubgraphContext(index, acquired);
  }
  static TfLiteStatus ReleaseSubgraphContext(TfLiteContext* context, int index) {
    return Of(context)->ReleaseSubgraphContext(index);
  }

  // ---- While a delegate is being applied.
  static TfLiteStatus GetExecutionPlan(TfLiteContext* context, TfLiteIntArray** plan) {
    return Of(context)->GetExecutionPlanArray(plan);
  }
  static TfLiteStatus GetNodeAndRegistration(TfLiteContext* context, int node_index,
                                             TfLiteNode** node, TfLiteRegistration** registration) {
    return Of(context)->GetNodeAndRegistration(node_index, node, registration);
  }
  static TfLiteStatus ReplaceNodeSubsets(TfLiteContext* context, TfLiteRegistration registration,
                                         const TfLiteIntArray* nodes, TfLiteDelegate* delegate) {
    return Of(context)->ReplaceNodeSubsets(registration, nodes, delegate);
  }
  static TfLiteStatus PreviewPartitioning(TfLiteContext* context, const TfLiteIntArray* nodes,
                                          TfLiteDelegateParams** partitions, int* num_partitions) {
    return Of(context)->PreviewPartitioning(nodes, partitions, num_partitions);
  }

  template <typename... Args>
  static TfLiteStatus Forbidden(TfLiteContext* context, Args...) {
    Of(context)->ReportError("The function is forbidden if not calling in delegate.");
    return kTfLiteError;
  }
};

void Subgraph::SetUpContext() {
  using Calls = SubgraphContextCalls;
  context_.impl_ = this;
  context_.ResizeTensor = Calls::ResizeTensor;
  context_.ReportError = Calls::ReportError;
  context_.AddTensors = Calls::AddTensors;
  context_.recommended_num_threads = -1;
  context_.GetExternalContext = Calls::GetExternalContext;
  context_.SetExternalContext = Calls::SetExternalContext;
  context_.GetModelMetadata = Calls::GetModelMetadata;
  context_.AcquireSubgraphContext = Calls::AcquireSubgraphContext;
  context_.ReleaseSubgraphContext = Calls::ReleaseSubgraphContext;
#if defined(_WIN32)
  context_.TfLiteIntArrayCreate = ::TfLiteIntArrayCreate;
  context_.TfLiteIntArrayFree = ::TfLiteIntArrayFree;
#endif
  UpdateTensorsPointer();
  delegate_context_depth_ = 1;
  SwitchToKernelContext();
}

void Subgraph::SwitchToDelegateContext() {
  using Calls = SubgraphContextCalls;
  ++delegate_context_depth_;
  context_.GetExecutionPlan = Calls::GetExecutionPlan;
  context_.GetNodeAndRegistration = Calls::GetNodeAndRegistration;
  context_.ReplaceNodeSubsetsWithDelegateKernels = Calls::ReplaceNodeSubsets;
  context_.PreviewDelegatePartitioning = Calls::PreviewPartitioning;
}

void Subgraph::SwitchToKernelContext() {
  using Calls = SubgraphContextCalls;
  if (--delegate_context_depth_ > 0) return;
  context_.GetExecutionPlan = Calls::Forbidden;
  context_.GetNodeAndRegistration = Calls::Forbidden;
  context_.ReplaceNodeSubsetsWithDelegateKernels = Calls::Forbidden;
  context_.PreviewDelegatePartitioning = Calls::Forbidden;
  FreePreview();
}

TfLiteStatus Subgraph::GetExecutionPlanArray(TfLiteIntArray** plan) {
  if (plan == nullptr) return kTfLiteError;
  TfLiteIntArrayFree(plan_array_);
  plan_array_ = TfLiteIntArrayCreate(static_cast<int>(execution_plan_.size()));
  *plan = plan_array_;
  if (!execution_plan_.empty()) {
    std::memcpy(plan_array_->data, execution_plan_.data(), execution_plan_.size() * sizeof(int));
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::GetNodeAndRegistration(int node_index, TfLiteNode** node,
                                              TfLiteRegistration** registration) {
  if (node_index < 0 || static_cast<size_t>(node_index) >= nodes_and_registration_.size() ||
      node == nullptr || registration == nullptr) {
    ReportError("Node index %d is out of range.", node_index);
    return kTfLiteError;
  }
  *node = &nodes_and_registration_[node_index].first;
  *registration = &nodes_and_registration_[node_index].second;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::AcquireSubgraphContext(int subgraph_index, TfLiteContext** context) {
  if (context == nullptr || subgraphs_ == nullptr || subgraph_index < 0 ||
      static_cast<size_t>(subgraph_index) >= subgraphs_->size()) {
    ReportError("Subgraph index %d is out of range.", subgraph_index);
    return kTfLiteError;
  }
  Subgraph* other = (*subgraphs_)[subgraph_index].get();
  other->SwitchToDelegateContext();
  *context = other->context();
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ReleaseSubgraphContext(int subgraph_index) {
  if (subgraphs_ == nullptr || subgraph_index < 0 ||
      static_cast<size_t>(subgraph_index) >= subgraphs_->size()) {
    ReportError("Subgraph index %d is out of range.", subgraph_index);
    return kTfLiteError;
  }
  Subgraph* other = (*subgraphs_)[subgraph_index].get();
  if (other->delegate_context_depth_ <= 0) return kTfLiteError;
  other->SwitchToKernelContext();
  return kTfLiteOk;
}

TfLiteStatus Subgraph::AcquireSubgraphContext(TfLiteContext* context, int subgraph_index,
                                              TfLiteContext** acquired_context) {
  return SubgraphContextCalls::AcquireSubgraphContext(context, subgraph_index, acquired_context);
}

TfLiteStatus Subgraph::ReleaseSubgraphContext(TfLiteContext* context, int subgraph_index) {
  return SubgraphContextCalls::ReleaseSubgraphContext(context, subgraph_index);
}

TfLiteStatus Subgraph::GetModelMetadata(const char* name, const char** data, size_t* bytes) const {
  if (name == nullptr || data == nullptr || bytes == nullptr) return kTfLiteError;
  *data = nullptr;
  *bytes = 0;
  if (metadata_ == nullptr) return kTfLiteError;
  const auto found = metadata_->find(name);
  if (found == metadata_->end()) return kTfLiteError;
  *data = found->second.data();
  *bytes = found->second.size();
  return kTfLiteOk;
}

}  // namespace tflite
