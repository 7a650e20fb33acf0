// SPDX-License-Identifier: Apache-2.0
//
// The C callbacks of a subgraph's TfLiteContext. Those that can change the graph work only while a
// delegate is being applied; otherwise a stub stands in their place.
#include "runtime/abi_context.h"

#include <cstdarg>

#include "runtime/subgraph_parts.h"

namespace tern {
namespace {

tflite::Subgraph* SubgraphOf(TfLiteContext* context) {
  return static_cast<tflite::Subgraph*>(context->impl_);
}
GraphState& StateOf(const TfLiteContext* context) { return SubgraphParts::Of(context).graph; }
Delegation& DelegationOf(const TfLiteContext* context) {
  return SubgraphParts::Of(context).delegation;
}

void ReportError(TfLiteContext* context, const char* format, ...) {
  va_list args;
  va_start(args, format);
  StateOf(context).error_reporter->Report(format, args);
  va_end(args);
}

// The place of an external context; null for a type that is out of range.
TfLiteExternalContext** ExternalContext(TfLiteContext* context, TfLiteExternalContextType type) {
  TfLiteExternalContext** contexts = StateOf(context).external_contexts;
  if (contexts == nullptr || type < 0 || type >= kTfLiteMaxExternalContexts) return nullptr;
  return &contexts[type];
}

TfLiteExternalContext* GetExternalContext(TfLiteContext* context, TfLiteExternalContextType type) {
  TfLiteExternalContext** place = ExternalContext(context, type);
  return place != nullptr ? *place : nullptr;
}

void SetExternalContext(TfLiteContext* context, TfLiteExternalContextType type,
                        TfLiteExternalContext* external_context) {
  TfLiteExternalContext** place = ExternalContext(context, type);
  if (place != nullptr) *place = external_context;
}

TfLiteStatus GetModelMetadata(const TfLiteContext* context, const char* name, const char** data,
                              size_t* bytes) {
  if (name == nullptr || data == nullptr || bytes == nullptr) return kTfLiteError;
  *data = nullptr;
  *bytes = 0;
  const std::map<std::string, std::string>* metadata = StateOf(context).metadata;
  if (metadata == nullptr) return kTfLiteError;
  const auto found = metadata->find(name);
  if (found == metadata->end()) return kTfLiteError;
  *data = found->second.data();
  *bytes = found->second.size();
  return kTfLiteOk;
}

template <typename... Args>
TfLiteStatus Forbidden(TfLiteContext* context, Args...) {
  StateOf(context).ReportError("The function is forbidden if not calling in delegate.");
  return kTfLiteError;
}

}  // namespace

void SetUpContext(tflite::Subgraph* subgraph, TfLiteContext* context) {
  context->impl_ = subgraph;
  context->ResizeTensor = [](TfLiteContext* self, TfLiteTensor* tensor, TfLiteIntArray* new_size) {
    return StateOf(self).ResizeTensor(tensor, new_size);
  };
  context->ReportError = ReportError;
  context->AddTensors = [](TfLiteContext* self, int count, int* first_new_index) {
    return StateOf(self).AddTensors(count, first_new_index);
  };
  context->recommended_num_threads = -1;
  context->GetExternalContext = GetExternalContext;
  context->SetExternalContext = SetExternalContext;
  context->GetModelMetadata = GetModelMetadata;
  context->AcquireSubgraphContext = [](TfLiteContext* self, int index, TfLiteContext** acquired) {
    return SubgraphOf(self)->AcquireSubgraphContext(index, acquired);
  };
  context->ReleaseSubgraphContext = [](TfLiteContext* self, int index) {
    return SubgraphOf(self)->ReleaseSubgraphContext(index);
  };
#if defined(_WIN32)
  context->TfLiteIntArrayCreate = ::TfLiteIntArrayCreate;
  context->TfLiteIntArrayFree = ::TfLiteIntArrayFree;
#endif
  CloseDelegateCalls(context);
}

void OpenDelegateCalls(TfLiteContext* context) {
  context->GetExecutionPlan = [](TfLiteContext* self, TfLiteIntArray** plan) {
    return DelegationOf(self).GetExecutionPlan(plan);
  };
  context->GetNodeAndRegistration = [](TfLiteContext* self, int index, TfLiteNode** node,
                                       TfLiteRegistration** registration) {
    return DelegationOf(self).GetNodeAndRegistration(index, node, registration);
  };
  context->ReplaceNodeSubsetsWithDelegateKernels =
      [](TfLiteContext* self, TfLiteRegistration registration, const TfLiteIntArray* nodes,
         TfLiteDelegate* delegate) {
        return DelegationOf(self).ReplaceNodeSubsets(registration, nodes, delegate);
      };
  context->PreviewDelegatePartitioning = [](TfLiteContext* self, const TfLiteIntArray* nodes,
                                            TfLiteDelegateParams** partitions, int* count) {
    return DelegationOf(self).PreviewPartitioning(nodes, partitions, count);
  };
}

void CloseDelegateCalls(TfLiteContext* context) {
  context->GetExecutionPlan = Forbidden;
  context->GetNodeAndRegistration = Forbidden;
  context->ReplaceNodeSubsetsWithDelegateKernels = Forbidden;
  context->PreviewDelegatePartitioning = Forbidden;
}

}  // namespace tern
