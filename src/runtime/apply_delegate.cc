// SPDX-License-Identifier: Apache-2.0
//
// Hands the graph to a delegate, and takes it back when the delegate fails, when a
// shape changes or when the application asks for it.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "runtime/abi_context.h"
#include "runtime/delegation.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/operator.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern {
namespace {

bool IsStatic(int64_t flags) { return (flags & kTfLiteDelegateFlagsAllowDynamicTensors) == 0; }

bool IsHinted(int64_t flags) {
  return (flags & kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate) != 0;
}

}  // namespace

TfLiteStatus Delegation::Add(TfLiteDelegate* delegate) {
  TFLITE_SCOPED_TAGGED_DEFAULT_PROFILE(graph_.profiler.get(), "ModifyGraphWithDelegate");
  if (delegate == nullptr) {
    graph_.ReportError("Null delegate.");
    return kTfLiteDelegateError;
  }
  if (graph_.invoking || IsOpen() || !graph_.consistent) {
    graph_.ReportError(
        "ModifyGraphWithDelegate called on a subgraph that is in use or inconsistent.");
    return kTfLiteError;
  }
  TF_LITE_ENSURE_STATUS(RedoAll());
  graph_.delegate_records.Add(delegate);
  return Apply(delegate);
}

TfLiteStatus Delegation::Apply(TfLiteDelegate* delegate) {
  const DelegateRecord record = *graph_.delegate_records.Find(delegate);
  const GraphState::Readiness state_before = graph_.readiness;
  if (state_before == GraphState::kInvokableAndImmutable) {
    graph_.readiness =
        GraphState::kUninvokable;  // an earlier delegate has shown that all shapes are static
  } else if (IsStatic(record.flags()) && !IsHinted(record.flags())) {
    TF_LITE_ENSURE_STATUS(CheckShapesAreStatic());
  }
  if (!graph_.plan_saved) {
    graph_.pre_delegation_execution_plan = graph_.execution_plan;
    graph_.pre_delegation_node_count = graph_.nodes.size();
    graph_.plan_saved = true;
  }
  OpenContext();
  const TfLiteStatus status = record.Prepare(&graph_.context);
  CloseContext();
  if (status != kTfLiteOk) return RestoreAfterFailure();
  if (IsHinted(record.flags()) && !IsFullyDelegated()) {
    graph_.ReportError(
        "Hint fully delegated to single delegate is set, but the graph is not fully delegated.");
    TF_LITE_ENSURE_STATUS(DropPartial());
    return kTfLiteApplicationError;
  }
  graph_.delegates_applied.push_back(delegate);
  return Finish(record.flags(), state_before);
}

// Lets all nodes prepare, since only that tells whether a shape depends on data.
TfLiteStatus Delegation::CheckShapesAreStatic() {
  TF_LITE_ENSURE_STATUS(preparer_.TryPrepare());
  if (!graph_.has_dynamic_tensors) return kTfLiteOk;
  const int dynamic_tensor = preparer_.dynamic_tensor();
  graph_.readiness = GraphState::kUninvokable;
  TF_LITE_ENSURE_STATUS(preparer_.PlanAndAllocate());
  TFLITE_LOG_PROD_ONCE(tflite::TFLITE_LOG_WARNING,
                       "Attempting to use a delegate that only supports static-sized tensors with "
                       "a graph that has dynamic-sized tensors (tensor#%d is a dynamic-sized "
                       "tensor).",
                       dynamic_tensor);
  return kTfLiteApplicationError;
}

TfLiteStatus Delegation::Finish(int64_t flags, GraphState::Readiness state_before) {
  if (IsStatic(flags)) {
    graph_.readiness = GraphState::kUninvokable;
    if (preparer_.PlanAndAllocate() != kTfLiteOk) return RestoreAfterFailure();
    graph_.readiness = GraphState::kInvokableAndImmutable;
    return kTfLiteOk;
  }
  if (state_before == GraphState::kUninvokable) return kTfLiteOk;  // the application allocates
  graph_.readiness = GraphState::kUninvokable;
  if (state_before == GraphState::kInvokable) {
    return preparer_.PlanAndAllocate() == kTfLiteOk ? kTfLiteOk : RestoreAfterFailure();
  }
  if (preparer_.TryPrepare() != kTfLiteOk) return RestoreAfterFailure();
  if (graph_.has_dynamic_tensors) {
    TF_LITE_ENSURE_STATUS(RemoveAll());
    graph_.ReportError(
        "Cannot allow dynamic tensors due to previous delegation, resetting to original execution "
        "plan.");
    return kTfLiteApplicationError;
  }
  if (preparer_.PlanAndAllocate() != kTfLiteOk) return RestoreAfterFailure();
  graph_.readiness = GraphState::kInvokableAndImmutable;
  return kTfLiteOk;
}

// Takes back what the newest delegate did; earlier ones return.
TfLiteStatus Delegation::DropPartial() {
  TF_LITE_ENSURE_STATUS(UndoAll());
  if (!graph_.delegates_applied.empty()) return RedoAll();
  delegates_undone_ = false;
  return preparer_.PlanAndAllocate();
}

TfLiteStatus Delegation::RestoreAfterFailure() {
  TF_LITE_ENSURE_STATUS(RemoveAll());
  graph_.ReportError("Restored original execution plan after delegate application failure.");
  return kTfLiteDelegateError;
}

TfLiteStatus Delegation::UndoAll() {
  if (!graph_.plan_saved) return kTfLiteOk;
  ForgetNodes(graph_.pre_delegation_node_count);
  DeleteOperators();
  graph_.execution_plan = std::move(graph_.pre_delegation_execution_plan);
  graph_.pre_delegation_execution_plan.clear();
  graph_.plan_saved = false;
  inliner_.ReleaseTensors();
  RestoreHalfInputs();
  if (graph_.subgraphs != nullptr) {
    for (auto& subgraph : *graph_.subgraphs) {
      if (subgraph != nullptr) GraphState::Of(*subgraph).is_delegation_skippable = false;
    }
  }
  graph_.readiness = GraphState::kUninvokable;
  delegates_undone_ = true;
  return kTfLiteOk;
}

// Frees the nodes from `first_node` on. Their outputs belong to nobody afterwards, except where a
// buffer handle says whose they are.
void Delegation::ForgetNodes(size_t first_node) {
  for (size_t i = first_node; i < graph_.nodes.size(); ++i) {
    const TfLiteIntArray* outputs = graph_.nodes[i].first.outputs;
    for (int o = 0; o < outputs->size; ++o) {
      TfLiteTensor* output = graph_.tensor(outputs->data[o]);
      if (output == nullptr) continue;
      output->data_is_stale = false;
      if (output->buffer_handle == kTfLiteNullBufferHandle) output->delegate = nullptr;
    }
    graph_.CleanupNode(static_cast<int>(i));
  }
  graph_.nodes.resize(first_node);
}

// A delegate may have pointed nodes at half-precision constants instead of the float tensors that
// DEQUANTIZE nodes make of them. The CPU needs the float tensors again.
void Delegation::RestoreHalfInputs() {
  std::unordered_map<int, int> float_of_half;
  const auto is_half_constant = [this](int index) {
    const TfLiteTensor* t = graph_.tensor(index);
    return t != nullptr && t->type == kTfLiteFloat16 && t->allocation_type == kTfLiteMmapRo;
  };
  for (int node_index : graph_.execution_plan) {
    const auto& [node, registration] = graph_.nodes[node_index];
    if (registration.builtin_code != kTfLiteBuiltinDequantize) continue;
    if (node.inputs->size == 1 && node.outputs->size == 1 &&
        is_half_constant(node.inputs->data[0])) {
      float_of_half[node.inputs->data[0]] = node.outputs->data[0];
    }
  }
  if (float_of_half.empty()) return;
  for (int node_index : graph_.execution_plan) {
    const auto& [node, registration] = graph_.nodes[node_index];
    if (registration.builtin_code == kTfLiteBuiltinDequantize) continue;
    for (int i = 0; i < node.inputs->size; ++i) {
      const auto found = float_of_half.find(node.inputs->data[i]);
      if (found != float_of_half.end()) node.inputs->data[i] = found->second;
    }
  }
}

TfLiteStatus Delegation::RedoAll() {
  if (!delegates_undone_) return kTfLiteOk;
  delegates_undone_ = false;
  std::vector<TfLiteDelegate*> delegates;
  delegates.swap(graph_.delegates_applied);
  TFLITE_LOG(tflite::TFLITE_LOG_INFO, "Redoing %zu delegates.", delegates.size());
  for (TfLiteDelegate* delegate : delegates) {
    const TfLiteStatus status = Apply(delegate);
    if (status == kTfLiteError && graph_.delegates_applied.empty()) {
      // The graph itself refuses these shapes, before any delegate was asked: they wait for others.
      graph_.delegates_applied = std::move(delegates);
      delegates_undone_ = true;
      return status;
    }
    TF_LITE_ENSURE_STATUS(status);
  }
  return kTfLiteOk;
}

TfLiteStatus Delegation::RemoveAll() {
  const bool had_delegates = graph_.plan_saved || !graph_.delegates_applied.empty();
  TF_LITE_ENSURE_STATUS(UndoAll());
  delegates_undone_ = false;
  if (!had_delegates) return kTfLiteOk;
  for (TfLiteTensor& tensor : graph_.tensors) {
    if (tensor.delegate == nullptr) continue;
    graph_.FreeBufferHandle(&tensor);
    tensor.delegate = nullptr;
    tensor.data_is_stale = false;
  }
  graph_.delegates_applied.clear();
  graph_.readiness = GraphState::kUninvokable;
  return preparer_.PlanAndAllocate();
}

bool Delegation::IsFullyDelegated() const {
  return std::all_of(graph_.execution_plan.begin(), graph_.execution_plan.end(),
                     [this](int node) { return graph_.nodes[node].first.delegate != nullptr; });
}

void Delegation::DeleteOperators() {
  for (TfLiteOperator* op : kernel_operators_) TfLiteOperatorDelete(op);
  kernel_operators_.clear();
}

void Delegation::FreeAll() {
  DeleteOperators();
  FreePreview();
  TfLiteIntArrayFree(plan_array_);
  plan_array_ = nullptr;
}

void Delegation::OpenContext() {
  ++context_depth_;
  OpenDelegateCalls(&graph_.context);
}

void Delegation::CloseContext() {
  if (--context_depth_ > 0) return;
  CloseDelegateCalls(&graph_.context);
  FreePreview();
}

}  // namespace tern
