// SPDX-License-Identifier: Apache-2.0
//
// One run over the execution plan. Nothing here allocates unless a shape changes.
#include "runtime/runner.h"

#include "base/subnormals.h"
#include "runtime/nesting.h"
#include "runtime/node_calls.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern {
namespace {

// Sets a flag while it lives, also when an operator throws.
class Invoking {
 public:
  explicit Invoking(bool& flag) : flag_(flag) { flag_ = true; }
  ~Invoking() { flag_ = false; }
  Invoking(const Invoking&) = delete;
  Invoking& operator=(const Invoking&) = delete;

 private:
  bool& flag_;
};

}  // namespace

TfLiteStatus Runner::CheckCancelled() {
  if (check_cancelled_func_ != nullptr && check_cancelled_func_(cancellation_data_)) {
    graph_.ReportError("Client requested cancel during Invoke()");
    return kTfLiteError;
  }
  if (continue_invocation_ != nullptr && !continue_invocation_->test_and_set()) {
    graph_.ReportError("Client requested cancel during Invoke()");
    return kTfLiteCancelled;
  }
  return kTfLiteOk;
}

TfLiteStatus Runner::Run() {
  if (!graph_.consistent) {
    graph_.ReportError("Invoke called on model that is not consistent.");
    return kTfLiteError;
  }
  if (graph_.readiness == GraphState::kUninvokable || graph_.plan_stale) {
    graph_.ReportError("Invoke called on model that is not ready.");
    return kTfLiteError;
  }
  if (!preparer_.planner()->HasMemory()) {
    graph_.ReportError("Non-persistent memory is not available.");
    return kTfLiteError;
  }
  if (graph_.invoking) {
    graph_.ReportError("Subgraph %d invokes itself.", graph_.subgraph_index);
    return kTfLiteError;
  }
  const Nesting nesting(/*is_run=*/true);
  if (nesting.Error() != nullptr) {
    graph_.ReportError("%s", nesting.Error());
    return kTfLiteError;
  }
  TFLITE_SCOPED_TAGGED_DEFAULT_PROFILE(graph_.profiler.get(), "Invoke");
  const SubnormalMode mode(/*flushes=*/true);
  const Invoking invoking(graph_.invoking);
  // Between nodes InvokeNode asks; a loop may run graphs without nodes.
  TfLiteStatus status = graph_.execution_plan.empty() ? CheckCancelled() : kTfLiteOk;
  for (size_t i = 0; i < graph_.execution_plan.size() && status == kTfLiteOk; ++i) {
    status = InvokeNode(static_cast<int>(i));
  }
  return status;
}

TfLiteStatus Runner::InvokeNode(int position) {
  TF_LITE_ENSURE_STATUS(preparer_.ContinueAt(position));
  const int node_index = graph_.execution_plan[position];
  // Copies of the addresses only: a node may not add nodes, but it may add tensors.
  TfLiteNode& node = graph_.nodes[node_index].first;
  const TfLiteRegistration& registration = graph_.nodes[node_index].second;
  TF_LITE_ENSURE_STATUS(CheckNodeInputs(node, registration));
  TF_LITE_ENSURE_STATUS(CheckCancelled());
  TF_LITE_ENSURE_STATUS(AllocateDynamicOutputs(node));
  graph_.EnsureTensorsCapacity();
  graph_.tensor_resized = false;
  tflite::Profiler* profiler = ProfilerFor(node);
  TfLiteStatus status;
  {
    TFLITE_SCOPED_TAGGED_OPERATOR_PROFILE(
        profiler, profiler != nullptr ? NodeName(registration) : nullptr, node_index);
    status = CallInvoke(&graph_.context, registration, &node);
  }
  if (status != kTfLiteOk) {
    graph_.ReportNodeError(registration, node_index, "failed to invoke");
    return status == kTfLiteCancelled ? kTfLiteCancelled : kTfLiteError;
  }
  preparer_.NoteResizedOutputs(position, node);
  ReleaseFinishedDynamicTensors(position, node);
  return kTfLiteOk;
}

tflite::Profiler* Runner::ProfilerFor(const TfLiteNode& node) {
  if (graph_.profiler == nullptr || node.delegate == nullptr) return graph_.profiler.get();
  if (graph_.options->GetForceDelegateNodeProfiling()) return graph_.profiler.get();
  const DelegateRecord* record = graph_.delegate_records.Find(node.delegate);
  const bool profiles_itself =
      record != nullptr && (record->flags() & kTfLiteDelegateFlagsPerOperatorProfiling) != 0;
  return profiles_itself ? nullptr : graph_.profiler.get();
}

TfLiteStatus Runner::CheckNodeInputs(const TfLiteNode& node,
                                     const TfLiteRegistration& registration) {
  for (int i = 0; i < node.inputs->size; ++i) {
    const int index = node.inputs->data[i];
    if (index == kTfLiteOptionalTensor) continue;
    const TfLiteTensor& input = graph_.tensors[index];
    if (input.data_is_stale && input.delegate != nullptr && input.delegate != node.delegate) {
      TF_LITE_ENSURE_STATUS(graph_.EnsureTensorDataIsReadable(index));
    }
    if (input.data.raw != nullptr || input.bytes == 0) continue;
    // The target shape of RESHAPE may be given by the shape of a tensor without data.
    const bool shape_only =
        registration.builtin_code == kTfLiteBuiltinReshape && i == 1 && input.dims->size != 1;
    if (shape_only) continue;
    graph_.ReportError("Input tensor %d lacks data", index);
    return kTfLiteError;
  }
  return kTfLiteOk;
}

TfLiteStatus Runner::AllocateDynamicOutputs(const TfLiteNode& node) {
  for (int i = 0; i < node.outputs->size; ++i) {
    const int index = node.outputs->data[i];
    if (index == kTfLiteOptionalTensor) continue;
    TfLiteTensor* output = &graph_.tensors[index];
    TF_LITE_ENSURE_STATUS(outside_.CheckLate(index));
    if (output->allocation_type != kTfLiteDynamic || output->data.raw != nullptr) continue;
    if (output->bytes == 0) continue;
    if (TfLiteTensorResizeMaybeCopyWithAllocator(output->bytes, output, /*preserve_data=*/false,
                                                 MakerOf(*output, graph_.allocator)) != kTfLiteOk) {
      graph_.ReportError("No memory for tensor %d (%zu bytes).", index, output->bytes);
      return kTfLiteError;
    }
  }
  return kTfLiteOk;
}

void Runner::ReleaseFinishedDynamicTensors(int position, const TfLiteNode& node) {
  if (!graph_.options->GetEnsureDynamicTensorsAreReleased()) return;
  for (const TfLiteIntArray* indices : {node.inputs, node.outputs}) {
    for (int i = 0; i < indices->size; ++i) {
      const int index = indices->data[i];
      if (index == kTfLiteOptionalTensor) continue;
      TfLiteTensor* used = &graph_.tensors[index];
      if (used->allocation_type == kTfLiteDynamic && used->type != kTfLiteResource &&
          preparer_.planner()->LastUse(index) == position) {
        graph_.FreeData(used);
      }
    }
  }
}

}  // namespace tern
