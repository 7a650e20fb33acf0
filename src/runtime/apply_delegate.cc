// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: handing the graph to a delegate, and taking it back when the delegate fails, when a
// shape changes or when the application asks for it.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/prepare_scope.h"
#include "runtime/arena_planner.h"
#include "runtime/delegate_records.h"
#include "runtime/owned_constants.h"
#include "runtime/subgraph_profiler.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/operator.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/minimal_logging.h"
#include "tensorflow/lite/profiling/telemetry/telemetry.h"

namespace tflite {
namespace {

bool IsStatic(int64_t flags) { return (flags & kTfLiteDelegateFlagsAllowDynamicTensors) == 0; }

bool IsHinted(int64_t flags) {
  return (flags & kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate) != 0;
}

}  // namespace

TfLiteStatus Subgraph::ModifyGraphWithDelegate(TfLiteDelegate* delegate) {
  const TfLiteStatus status = AddDelegate(delegate);
  telemetry::TelemetryReportEvent(&context_, "ModifyGraphWithDelegate", status);
  return status;
}

TfLiteStatus Subgraph::AddDelegate(TfLiteDelegate* delegate) {
  TFLITE_SCOPED_TAGGED_DEFAULT_PROFILE(GetProfiler(), "ModifyGraphWithDelegate");
  if (delegate == nullptr) {
    ReportError("Null delegate.");
    return kTfLiteDelegateError;
  }
  if (invoking_ || delegate_context_depth_ > 0 || !consistent_) {
    ReportError("ModifyGraphWithDelegate called on a subgraph that is in use or inconsistent.");
    return kTfLiteError;
  }
  TF_LITE_ENSURE_STATUS(RedoAllDelegates());
  delegate_records_->Add(delegate);
  return ApplyDelegate(delegate);
}

TfLiteStatus Subgraph::ApplyDelegate(TfLiteDelegate* delegate) {
  const tern::DelegateRecord record = *delegate_records_->Find(delegate);
  const State state_before = state_;
  if (state_before == kInvokableAndImmutable) {
    state_ = kUninvokable;  // an earlier delegate has shown that all shapes are static
  } else if (IsStatic(record.flags()) && !IsHinted(record.flags())) {
    TF_LITE_ENSURE_STATUS(CheckShapesAreStatic());
  }
  if (!plan_saved_) {
    pre_delegation_execution_plan_ = execution_plan_;
    pre_delegation_node_count_ = nodes_and_registration_.size();
    plan_saved_ = true;
  }
  SwitchToDelegateContext();
  const TfLiteStatus status = record.Prepare(&context_);
  SwitchToKernelContext();
  if (status != kTfLiteOk) return RestoreAfterFailure();
  if (IsHinted(record.flags()) && !IsFullyDelegated()) {
    ReportError(
        "Hint fully delegated to single delegate is set, but the graph is not fully delegated.");
    TF_LITE_ENSURE_STATUS(DropPartialDelegation());
    return kTfLiteApplicationError;
  }
  delegates_applied_.push_back(delegate);
  return FinishDelegation(record.flags(), state_before);
}

TfLiteStatus Subgraph::TryPrepare() {
  const tern::PrepareScope trial(tern::PrepareScope::kTrial);
  int end = 0;
  return PrepareFrom(0, execution_plan_, &end);
}

// Lets all nodes prepare, since only that tells whether a shape depends on data.
TfLiteStatus Subgraph::CheckShapesAreStatic() {
  TF_LITE_ENSURE_STATUS(TryPrepare());
  if (!has_dynamic_tensors_) return kTfLiteOk;
  const int dynamic_tensor = dynamic_tensor_;
  state_ = kUninvokable;
  TF_LITE_ENSURE_STATUS(PlanAndAllocate());
  TFLITE_LOG_PROD_ONCE(TFLITE_LOG_WARNING,
                       "Attempting to use a delegate that only supports static-sized tensors with "
                       "a graph that has dynamic-sized tensors (tensor#%d is a dynamic-sized "
                       "tensor).",
                       dynamic_tensor);
  return kTfLiteApplicationError;
}

TfLiteStatus Subgraph::FinishDelegation(int64_t flags, State state_before) {
  if (IsStatic(flags)) {
    state_ = kUninvokable;
    if (PlanAndAllocate() != kTfLiteOk) return RestoreAfterFailure();
    state_ = kInvokableAndImmutable;
    return kTfLiteOk;
  }
  if (state_before == kUninvokable) return kTfLiteOk;  // the application allocates
  state_ = kUninvokable;
  if (state_before == kInvokable) {
    return PlanAndAllocate() == kTfLiteOk ? kTfLiteOk : RestoreAfterFailure();
  }
  if (TryPrepare() != kTfLiteOk) return RestoreAfterFailure();
  if (has_dynamic_tensors_) {
    TF_LITE_ENSURE_STATUS(RemoveAllDelegates());
    ReportError(
        "Cannot allow dynamic tensors due to previous delegation, resetting to original execution "
        "plan.");
    return kTfLiteApplicationError;
  }
  if (PlanAndAllocate() != kTfLiteOk) return RestoreAfterFailure();
  state_ = kInvokableAndImmutable;
  return kTfLiteOk;
}

// Takes back what the newest delegate did; earlier ones return.
TfLiteStatus Subgraph::DropPartialDelegation() {
  TF_LITE_ENSURE_STATUS(UndoAllDelegates());
  if (!delegates_applied_.empty()) return RedoAllDelegates();
  delegates_undone_ = false;
  return PlanAndAllocate();
}

TfLiteStatus Subgraph::RestoreAfterFailure() {
  TF_LITE_ENSURE_STATUS(RemoveAllDelegates());
  ReportError("Restored original execution plan after delegate application failure.");
  return kTfLiteDelegateError;
}

TfLiteStatus Subgraph::UndoAllDelegates() {
  if (!plan_saved_) return kTfLiteOk;
  ForgetDelegateNodes(pre_delegation_node_count_);
  for (TfLiteOperator* op : kernel_operators_) TfLiteOperatorDelete(op);
  kernel_operators_.clear();
  execution_plan_ = std::move(pre_delegation_execution_plan_);
  pre_delegation_execution_plan_.clear();
  plan_saved_ = false;
  spare_tensors_.insert(spare_tensors_.end(), inlined_tensors_.begin(), inlined_tensors_.end());
  inlined_tensors_.clear();
  RestoreHalfInputs();
  if (subgraphs_ != nullptr) {
    for (auto& subgraph : *subgraphs_) {
      if (subgraph != nullptr) subgraph->is_delegation_skippable_ = false;
    }
  }
  state_ = kUninvokable;
  delegates_undone_ = true;
  return kTfLiteOk;
}

// Frees the nodes from `first_node` on. Their outputs belong to nobody afterwards, except where a
// buffer handle says whose they are.
void Subgraph::ForgetDelegateNodes(size_t first_node) {
  for (size_t i = first_node; i < nodes_and_registration_.size(); ++i) {
    const TfLiteIntArray* outputs = nodes_and_registration_[i].first.outputs;
    for (int o = 0; o < outputs->size; ++o) {
      TfLiteTensor* output = tensor(outputs->data[o]);
      if (output == nullptr) continue;
      output->data_is_stale = false;
      if (output->buffer_handle == kTfLiteNullBufferHandle) output->delegate = nullptr;
    }
    CleanupNode(static_cast<int>(i));
  }
  nodes_and_registration_.resize(first_node);
}

// A delegate may have pointed nodes at half-precision constants instead of the float tensors that
// DEQUANTIZE nodes make of them. The CPU needs the float tensors again.
void Subgraph::RestoreHalfInputs() {
  std::unordered_map<int, int> float_of_half;
  const auto is_half_constant = [this](int index) {
    const TfLiteTensor* t = tensor(index);
    return t != nullptr && t->type == kTfLiteFloat16 && t->allocation_type == kTfLiteMmapRo;
  };
  for (int node_index : execution_plan_) {
    const auto& [node, registration] = nodes_and_registration_[node_index];
    if (registration.builtin_code != kTfLiteBuiltinDequantize) continue;
    if (node.inputs->size == 1 && node.outputs->size == 1 &&
        is_half_constant(node.inputs->data[0])) {
      float_of_half[node.inputs->data[0]] = node.outputs->data[0];
    }
  }
  if (float_of_half.empty()) return;
  for (int node_index : execution_plan_) {
    const auto& [node, registration] = nodes_and_registration_[node_index];
    if (registration.builtin_code == kTfLiteBuiltinDequantize) continue;
    for (int i = 0; i < node.inputs->size; ++i) {
      const auto found = float_of_half.find(node.inputs->data[i]);
      if (found != float_of_half.end()) node.inputs->data[i] = found->second;
    }
  }
}

TfLiteStatus Subgraph::RedoAllDelegates() {
  if (!delegates_undone_) return kTfLiteOk;
  delegates_undone_ = false;
  std::vector<TfLiteDelegate*> delegates;
  delegates.swap(delegates_applied_);
  TFLITE_LOG(TFLITE_LOG_INFO, "Redoing %zu delegates.", delegates.size());
  for (TfLiteDelegate* delegate : delegates) {
    const TfLiteStatus status = ApplyDelegate(delegate);
    if (status == kTfLiteError && delegates_applied_.empty()) {
      // The graph itself refuses these shapes, before any delegate was asked: they wait for others.
      delegates_applied_ = std::move(delegates);
      delegates_undone_ = true;
      return status;
    }
    TF_LITE_ENSURE_STATUS(status);
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::RemoveAllDelegates() {
  const bool had_delegates = plan_saved_ || !delegates_applied_.empty();
  TF_LITE_ENSURE_STATUS(UndoAllDelegates());
  delegates_undone_ = false;
  if (!had_delegates) return kTfLiteOk;
  for (TfLiteTensor& tensor : tensors_) {
    if (tensor.delegate == nullptr) continue;
    FreeBufferHandle(&tensor);
    tensor.delegate = nullptr;
    tensor.data_is_stale = false;
  }
  delegates_applied_.clear();
  state_ = kUninvokable;
  return PlanAndAllocate();
}

bool Subgraph::IsFullyDelegated() const {
  return std::all_of(execution_plan_.begin(), execution_plan_.end(), [this](int node) {
    return nodes_and_registration_[node].first.delegate != nullptr;
  });
}

TfLiteStatus Subgraph::MarkSubgraphAsDelegationSkippable(int subgraph_index) {
  if (subgraphs_ == nullptr || subgraph_index <= 0 ||
      static_cast<size_t>(subgraph_index) >= subgraphs_->size()) {
    return kTfLiteError;
  }
  (*subgraphs_)[subgraph_index]->MarkAsDelegationSkippable();
  return kTfLiteOk;
}

}  // namespace tflite
