// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: the walk that lets every node compute its output shapes, and the memory plan that
// follows. The walk stops after a node whose output shape is known only when it runs; Invoke
// then continues it.
#include <vector>

#include "base/prepare_scope.h"
#include "runtime/arena_planner.h"
#include "runtime/delegate_records.h"
#include "runtime/input_values.h"
#include "runtime/nesting.h"
#include "runtime/node_calls.h"
#include "runtime/owned_constants.h"
#include "runtime/subgraph_info.h"
#include "runtime/subgraph_profiler.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/core/api/tensor_utils.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/profiling/telemetry/telemetry.h"

namespace tflite {
namespace {

// A tensor that is in use before a node writes it, because it is a graph input, a variable, or an
// operand of an earlier node. It keeps its type, shape and kind of memory, because whoever uses it
// before has prepared for them.
class UsedBefore {
 public:
  UsedBefore(int index, const TfLiteTensor& tensor)
      : index_(index),
        type_(tensor.type),
        allocation_type_(tensor.allocation_type),
        dims_(DimsOf(tensor)) {}

  int index() const { return index_; }

  // A result that was computed at preparation would not come back after the second write. The
  // shape of a resource says nothing about it.
  bool IsUnchanged(const TfLiteTensor& now) const {
    return now.type == type_ && now.allocation_type == allocation_type_ &&
           allocation_type_ != kTfLitePersistentRo &&
           (type_ == kTfLiteResource || DimsOf(now) == dims_);
  }

 private:
  static std::vector<int> DimsOf(const TfLiteTensor& tensor) {
    if (tensor.dims == nullptr) return {};
    return {tensor.dims->data, tensor.dims->data + tensor.dims->size};
  }

  int index_;
  TfLiteType type_;
  TfLiteAllocationType allocation_type_;
  std::vector<int> dims_;
};

}  // namespace

TfLiteStatus Subgraph::ReportNodeError(const TfLiteRegistration& registration, int node_index,
                                       const char* what) {
  ReportError("Node number %d (%s) %s.", node_index, tern::NodeName(registration), what);
  return kTfLiteError;
}

bool Subgraph::IsLargeDynamic(int tensor_index) const {
  return static_cast<size_t>(tensor_index) < large_tensors_.size() && large_tensors_[tensor_index];
}

bool Subgraph::HasDynamicTensor(const int* indices, size_t count, int* dynamic_tensor) const {
  for (size_t i = 0; i < count; ++i) {
    const int index = indices[i];
    if (index == kTfLiteOptionalTensor) continue;
    if (tensors_[index].allocation_type != kTfLiteDynamic || IsLargeDynamic(index)) continue;
    if (tensors_[index].type == kTfLiteResource) continue;  // a handle is as long as any other
    if (dynamic_tensor != nullptr) *dynamic_tensor = index;
    return true;
  }
  return false;
}

void Subgraph::FindFirstUses(const std::vector<int>& plan) {
  first_use_plan_ = &plan;
  first_use_.assign(tensors_.size(), static_cast<int>(plan.size()));
  for (size_t i = plan.size(); i-- > 0;) {
    const TfLiteNode& node = nodes_and_registration_[plan[i]].first;
    for (const TfLiteIntArray* indices : {node.outputs, node.inputs}) {
      for (int k = 0; k < indices->size; ++k) {
        const int index = indices->data[k];
        if (index != kTfLiteOptionalTensor) first_use_[index] = static_cast<int>(i);
      }
    }
  }
  for (int index : inputs_) {
    if (index != kTfLiteOptionalTensor) first_use_[index] = -1;
  }
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (tensors_[i].is_variable) first_use_[i] = -1;
  }
}

TfLiteStatus Subgraph::PrepareNode(int position, int node_index) {
  EnsureTensorsCapacity();
  auto& [node, registration] = nodes_and_registration_[node_index];
  std::vector<UsedBefore> overwritten;
  for (int o = 0; o < node.outputs->size; ++o) {
    const int index = node.outputs->data[o];
    if (index != kTfLiteOptionalTensor && first_use_[index] < position) {
      overwritten.emplace_back(index, tensors_[index]);
    }
  }
  const TfLiteStatus status = tern::CallPrepare(&context_, registration, &node);
  if (status != kTfLiteOk && status != kTfLiteOutputShapeNotKnown) {
    return ReportNodeError(registration, node_index, "failed to prepare"), status;
  }
  for (const UsedBefore& tensor : overwritten) {
    if (status == kTfLiteOk && tensor.IsUnchanged(tensors_[tensor.index()])) continue;
    ReportError(
        "Node number %d (%s) writes tensor %d, which is in use before it, with another type, "
        "shape or memory.",
        node_index, tern::NodeName(registration), tensor.index());
    return kTfLiteError;
  }
  return status;
}

TfLiteStatus Subgraph::PrepareFrom(int first, const std::vector<int>& plan, int* end) {
  if (first == 0) has_dynamic_tensors_ = false;
  if (first == 0 || first_use_plan_ != &plan) FindFirstUses(plan);
  shape_unknown_.resize(nodes_and_registration_.size(), false);
  for (size_t i = first; i < plan.size(); ++i) {
    const int node_index = plan[i];
    const TfLiteStatus status = PrepareNode(static_cast<int>(i), node_index);
    if (status != kTfLiteOk && status != kTfLiteOutputShapeNotKnown) {
      state_ = kUninvokable;
      return status;
    }
    const TfLiteNode& node = nodes_and_registration_[node_index].first;
    *end = static_cast<int>(i) + 1;
    shape_unknown_[node_index] = status == kTfLiteOutputShapeNotKnown;
    if (shape_unknown_[node_index] && node.outputs->size > 0) {
      dynamic_tensor_ = node.outputs->data[0];
    }
    if (HasDynamicTensor(node.outputs->data, node.outputs->size, &dynamic_tensor_) ||
        shape_unknown_[node_index]) {
      has_dynamic_tensors_ = true;
      return kTfLiteOk;
    }
  }
  return kTfLiteOk;
}

void Subgraph::ChooseLargeTensors(int first, int end) {
  if (!ShouldOptimizeMemoryForLargeTensors()) return;
  large_tensors_.resize(tensors_.size(), false);
  const auto threshold = static_cast<size_t>(options_->GetDynamicAllocationForLargeTensors());
  for (int i = first; i < end; ++i) {
    const TfLiteIntArray* outputs = nodes_and_registration_[execution_plan_[i]].first.outputs;
    for (int o = 0; o < outputs->size; ++o) {
      const int index = outputs->data[o];
      if (index == kTfLiteOptionalTensor) continue;
      TfLiteTensor& tensor = tensors_[index];
      if (tensor.allocation_type != kTfLiteArenaRw || tensor.bytes < threshold) continue;
      // Inputs and outputs keep their place for the application.
      if (planner_->LastUse(index) == tern::ArenaPlanner::kForever) continue;
      tensor.allocation_type = kTfLiteDynamic;
      tensor.data.raw = nullptr;
      large_tensors_[index] = true;
    }
  }
}

TfLiteStatus Subgraph::PrepareOpsAndTensors() {
  bool original_shapes_wanted = false;
  for (const TfLiteDelegate* delegate : delegates_applied_) {
    const tern::DelegateRecord* record = delegate_records_->Find(delegate);
    original_shapes_wanted |=
        record != nullptr && (record->flags() & kTfLiteDelegateFlagsRequirePropagatedShapes);
  }
  if (original_shapes_wanted) {
    int end = progress_.to_prepare_original;
    const tern::PrepareScope trial(tern::PrepareScope::kTrial);
    TF_LITE_ENSURE_STATUS(
        PrepareFrom(progress_.to_prepare_original, pre_delegation_execution_plan_, &end));
    progress_.to_prepare_original = end;
  }
  const int first = progress_.to_prepare;
  int end = first;
  {
    const tern::PrepareScope final_one(tern::PrepareScope::kFinal);
    TF_LITE_ENSURE_STATUS(PrepareFrom(first, execution_plan_, &end));
  }
  progress_.to_prepare = end;
  ChooseLargeTensors(first, end);
  // Position 0 also places graph inputs, so it is planned even for a graph without nodes.
  if (planner_->Place(end > 0 ? end - 1 : 0) != kTfLiteOk) {
    ReportError("Failed to allocate memory for the tensors of subgraph %d.", subgraph_index_);
    state_ = kUninvokable;
    return kTfLiteError;
  }
  return UseCustomAllocations();
}

// Releases the file's pages, because kernels have their own packed copies of constants: the pages
// would stay beside these until the system runs short of memory. Does so once, because a later
// preparation finds the copies.
void Subgraph::ReleaseModelPages() {
  if (model_pages_released_ || allocation_ == nullptr ||
      allocation_->type() != Allocation::Type::kMMap) {
    return;
  }
  static_cast<const MMAPAllocation*>(allocation_)->ReleasePages();
  model_pages_released_ = true;
}

// The inputs keep the application's values if only others have changed.
TfLiteStatus Subgraph::PlanAndAllocate() {
  if (planner_ == nullptr) {
    planner_ = std::make_unique<tern::ArenaPlanner>(std::make_unique<tern::SubgraphInfo>(this),
                                                    allocator_);
  }
  const tern::InputValues values(*planner_, tensors_, inputs_);
  TF_LITE_ENSURE_STATUS(PlanAndPrepare());
  values.WriteTo(*planner_, &tensors_);
  return kTfLiteOk;
}

TfLiteStatus Subgraph::PlanAndPrepare() {
  const tern::Nesting nesting(/*is_run=*/false);
  if (nesting.Error() != nullptr) {
    ReportError("%s", nesting.Error());
    return kTfLiteError;
  }
  const State wanted = state_ == kInvokableAndImmutable ? kInvokableAndImmutable : kInvokable;
  state_ = kUninvokable;
  for (size_t i = 0; i < large_tensors_.size(); ++i) {
    if (!large_tensors_[i]) continue;
    tern::FreeTensorData(&tensors_[i], allocator_);
    tensors_[i].allocation_type = kTfLiteArenaRw;
  }
  large_tensors_.clear();
  shape_unknown_.clear();
  planner_->PlanLifetimes(ShouldPreserveAllTensors());
  progress_ = Progress();
  preparing_ = true;
  const TfLiteStatus prepared = PrepareOpsAndTensors();
  preparing_ = false;
  TF_LITE_ENSURE_STATUS(prepared);
  state_ = wanted;
  plan_stale_ = false;
  TF_LITE_ENSURE_STATUS(ResetVariableTensors());
  ReleaseTemporariesOfReplacedNodes();
  ReleaseModelPages();
  return kTfLiteOk;
}

bool Subgraph::IsReady() const {
  return consistent_ && state_ != kUninvokable && !plan_stale_ && planner_->HasMemory();
}

TfLiteStatus Subgraph::AllocateTensors() {
  if (!invoking_ && !preparing_) ReturnBorrowedInputs();
  return AllocateForCaller();
}

TfLiteStatus Subgraph::AllocateForCaller() {
  const TfLiteStatus status = Allocate();
  telemetry::TelemetryReportEvent(&context_, "AllocateTensors", status);
  return status;
}

TfLiteStatus Subgraph::Allocate() {
  TFLITE_SCOPED_TAGGED_DEFAULT_PROFILE(GetProfiler(), "AllocateTensors");
  if (!consistent_) {
    ReportError("AllocateTensors() called on inconsistent model.");
    return kTfLiteError;
  }
  if (invoking_) {
    ReportError("AllocateTensors() called on a subgraph that is running.");
    return kTfLiteError;
  }
  if (preparing_) {
    ReportError("Subgraph %d calls itself, directly or through others.", subgraph_index_);
    return kTfLiteError;
  }
  TF_LITE_ENSURE_STATUS(RedoAllDelegates());
  TF_LITE_ENSURE_STATUS(InlineComposites());
  if (state_ == kUninvokable || plan_stale_ ||
      HasDynamicTensor(inputs_.data(), inputs_.size(), nullptr)) {
    return PlanAndAllocate();
  }
  if (!planner_->HasMemory() && planner_->Reacquire() != kTfLiteOk) {
    ReportError("Failed to allocate memory for the tensors of subgraph %d.", subgraph_index_);
    return kTfLiteError;
  }
  return UseCustomAllocations();
}

void Subgraph::ReleaseTemporariesOfReplacedNodes() {
  if (!plan_saved_) return;
  std::vector<bool> runs(nodes_and_registration_.size(), false);
  for (int node_index : execution_plan_) runs[node_index] = true;
  for (int node_index : pre_delegation_execution_plan_) {
    if (runs[node_index]) continue;
    const TfLiteNode& node = nodes_and_registration_[node_index].first;
    for (int i = 0; i < node.temporaries->size; ++i) {
      TfLiteTensor* temporary = tensor(node.temporaries->data[i]);
      if (temporary == nullptr) continue;
      if (temporary->allocation_type == kTfLiteDynamic ||
          temporary->allocation_type == kTfLitePersistentRo) {
        tern::FreeTensorData(temporary, allocator_);
      }
    }
  }
}

TfLiteStatus Subgraph::ReleaseNonPersistentMemory() {
  if (planner_ != nullptr) planner_->ReleaseMemory();
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ReleaseMemory() {
  DisownSharedMemory();
  TF_LITE_ENSURE_STATUS(ReleaseNonPersistentMemory());
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (tensors_[i].allocation_type == kTfLiteDynamic) {
      tern::FreeTensorData(&tensors_[i], allocator_);
    }
  }
  if (state_ == kInvokable) state_ = kUninvokable;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ResetVariableTensors() {
  for (TfLiteTensor& tensor : tensors_) {
    if (tensor.allocation_type == kTfLiteCustom) continue;
    TF_LITE_ENSURE_STATUS(ResetVariableTensor(&tensor));
  }
  return kTfLiteOk;
}

}  // namespace tflite
