// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: one run over the execution plan. Nothing here allocates unless a shape changes.
#include "base/subnormals.h"
#include "runtime/arena_planner.h"
#include "runtime/delegate_records.h"
#include "runtime/nesting.h"
#include "runtime/node_calls.h"
#include "runtime/owned_constants.h"
#include "runtime/subgraph_profiler.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/profiling/telemetry/telemetry.h"

namespace tflite {
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

void Subgraph::SetCancellationFunction(void* data, bool (*check_cancelled_func)(void*)) {
  cancellation_data_ = data;
  check_cancelled_func_ = check_cancelled_func;
}

TfLiteStatus Subgraph::CheckCancelled() {
  if (check_cancelled_func_ != nullptr && check_cancelled_func_(cancellation_data_)) {
    ReportError("Client requested cancel during Invoke()");
    return kTfLiteError;
  }
  if (continue_invocation_ != nullptr && !continue_invocation_->test_and_set()) {
    ReportError("Client requested cancel during Invoke()");
    return kTfLiteCancelled;
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::Invoke() {
  const TfLiteStatus status = Run();
  telemetry::TelemetryReportEvent(&context_, "Invoke", status);
  return status;
}

TfLiteStatus Subgraph::Run() {
  if (!consistent_) {
    ReportError("Invoke called on model that is not consistent.");
    return kTfLiteError;
  }
  if (state_ == kUninvokable || plan_stale_) {
    ReportError("Invoke called on model that is not ready.");
    return kTfLiteError;
  }
  if (!planner_->HasMemory()) {
    ReportError("Non-persistent memory is not available.");
    return kTfLiteError;
  }
  if (invoking_) {
    ReportError("Subgraph %d invokes itself.", subgraph_index_);
    return kTfLiteError;
  }
  const tern::Nesting nesting(/*is_run=*/true);
  if (nesting.Error() != nullptr) {
    ReportError("%s", nesting.Error());
    return kTfLiteError;
  }
  TFLITE_SCOPED_TAGGED_DEFAULT_PROFILE(GetProfiler(), "Invoke");
  const tern::SubnormalMode mode(/*flushes=*/true);
  const Invoking invoking(invoking_);
  // Between nodes InvokeNode asks; a loop may run graphs without nodes.
  TfLiteStatus status = execution_plan_.empty() ? CheckCancelled() : kTfLiteOk;
  for (size_t i = 0; i < execution_plan_.size() && status == kTfLiteOk; ++i) {
    status = InvokeNode(static_cast<int>(i));
  }
  return status;
}

TfLiteStatus Subgraph::InvokeNode(int position) {
  if (position == progress_.to_prepare) {
    TF_LITE_ENSURE_STATUS(PrepareOpsAndTensors());
    if (progress_.to_prepare <= position) return kTfLiteError;
  }
  const int node_index = execution_plan_[position];
  // Copies of the addresses only: a node may not add nodes, but it may add tensors.
  TfLiteNode& node = nodes_and_registration_[node_index].first;
  const TfLiteRegistration& registration = nodes_and_registration_[node_index].second;
  TF_LITE_ENSURE_STATUS(CheckNodeInputs(node, registration));
  TF_LITE_ENSURE_STATUS(CheckCancelled());
  TF_LITE_ENSURE_STATUS(AllocateDynamicOutputs(node));
  EnsureTensorsCapacity();
  tensor_resized_ = false;
  Profiler* profiler = ProfilerFor(node);
  TfLiteStatus status;
  {
    TFLITE_SCOPED_TAGGED_OPERATOR_PROFILE(
        profiler, profiler != nullptr ? tern::NodeName(registration) : nullptr, node_index);
    status = tern::CallInvoke(&context_, registration, &node);
  }
  if (status != kTfLiteOk) {
    ReportNodeError(registration, node_index, "failed to invoke");
    return status == kTfLiteCancelled ? kTfLiteCancelled : kTfLiteError;
  }
  NoteResizedOutputs(position, node);
  ReleaseFinishedDynamicTensors(position, node);
  return kTfLiteOk;
}

Profiler* Subgraph::ProfilerFor(const TfLiteNode& node) {
  if (profiler_ == nullptr || node.delegate == nullptr) return GetProfiler();
  if (options_ != nullptr && options_->GetForceDelegateNodeProfiling()) return GetProfiler();
  const tern::DelegateRecord* record = delegate_records_->Find(node.delegate);
  const bool profiles_itself =
      record != nullptr && (record->flags() & kTfLiteDelegateFlagsPerOperatorProfiling) != 0;
  return profiles_itself ? nullptr : GetProfiler();
}

TfLiteStatus Subgraph::CheckNodeInputs(const TfLiteNode& node,
                                       const TfLiteRegistration& registration) {
  for (int i = 0; i < node.inputs->size; ++i) {
    const int index = node.inputs->data[i];
    if (index == kTfLiteOptionalTensor) continue;
    const TfLiteTensor& input = tensors_[index];
    if (input.data_is_stale && input.delegate != nullptr && input.delegate != node.delegate) {
      TF_LITE_ENSURE_STATUS(EnsureTensorDataIsReadable(index));
    }
    if (input.data.raw != nullptr || input.bytes == 0) continue;
    // The target shape of RESHAPE may be given by the shape of a tensor without data.
    const bool shape_only =
        registration.builtin_code == kTfLiteBuiltinReshape && i == 1 && input.dims->size != 1;
    if (shape_only) continue;
    ReportError("Input tensor %d lacks data", index);
    return kTfLiteError;
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::AllocateDynamicOutputs(const TfLiteNode& node) {
  for (int i = 0; i < node.outputs->size; ++i) {
    const int index = node.outputs->data[i];
    if (index == kTfLiteOptionalTensor) continue;
    TfLiteTensor* output = &tensors_[index];
    if (HasLaterCustomAllocation(index)) TF_LITE_ENSURE_STATUS(CheckCustomAllocation(index));
    if (output->allocation_type != kTfLiteDynamic || output->data.raw != nullptr) continue;
    if (output->bytes == 0) continue;
    if (TfLiteTensorResizeMaybeCopyWithAllocator(output->bytes, output, /*preserve_data=*/false,
                                                 tern::MakerOf(*output, allocator_)) != kTfLiteOk) {
      ReportError("No memory for tensor %d (%zu bytes).", index, output->bytes);
      return kTfLiteError;
    }
  }
  return kTfLiteOk;
}

void Subgraph::NoteResizedOutputs(int position, const TfLiteNode& node) {
  if (!tensor_resized_) return;
  const int node_index = execution_plan_[position];
  const bool open =
      static_cast<size_t>(node_index) < shape_unknown_.size() && shape_unknown_[node_index];
  if (!open && !HasDynamicTensor(node.outputs->data, node.outputs->size, nullptr)) return;
  // Everything after this node sees new shapes and gets a new place.
  if (progress_.to_prepare > position + 1) {
    progress_.to_prepare = position + 1;
    planner_->ForgetAfter(position);
  }
}

void Subgraph::ReleaseFinishedDynamicTensors(int position, const TfLiteNode& node) {
  if (!ShouldReleaseDynamicTensors()) return;
  for (const TfLiteIntArray* indices : {node.inputs, node.outputs}) {
    for (int i = 0; i < indices->size; ++i) {
      const int index = indices->data[i];
      if (index == kTfLiteOptionalTensor) continue;
      TfLiteTensor* used = &tensors_[index];
      if (used->allocation_type == kTfLiteDynamic && used->type != kTfLiteResource &&
          planner_->LastUse(index) == position) {
        FreeData(used);
      }
    }
  }
}

}  // namespace tflite
