// SPDX-License-Identifier: Apache-2.0
//
// The walk that lets every node compute its output shapes, and the memory plan that
// follows. The walk stops after a node whose output shape is known only when it runs; Invoke
// then continues it.
#include "runtime/preparer.h"

#include <utility>

#include "abi/prepare_scope.h"
#include "runtime/input_values.h"
#include "runtime/nesting.h"
#include "runtime/node_calls.h"
#include "runtime/subgraph_info.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/core/api/tensor_utils.h"

namespace tern {
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

bool Preparer::IsLargeDynamic(int tensor_index) const {
  return static_cast<size_t>(tensor_index) < large_tensors_.size() && large_tensors_[tensor_index];
}

bool Preparer::HasDynamicTensor(const int* indices, size_t count, int* dynamic_tensor) const {
  for (size_t i = 0; i < count; ++i) {
    const int index = indices[i];
    if (index == kTfLiteOptionalTensor) continue;
    if (graph_.tensors[index].allocation_type != kTfLiteDynamic || IsLargeDynamic(index)) continue;
    if (graph_.tensors[index].type == kTfLiteResource)
      continue;  // a handle is as long as any other
    if (dynamic_tensor != nullptr) *dynamic_tensor = index;
    return true;
  }
  return false;
}

void Preparer::FindFirstUses(const std::vector<int>& plan) {
  first_use_plan_ = &plan;
  first_use_.assign(graph_.tensors.size(), static_cast<int>(plan.size()));
  for (size_t i = plan.size(); i-- > 0;) {
    const TfLiteNode& node = graph_.nodes[plan[i]].first;
    for (const TfLiteIntArray* indices : {node.outputs, node.inputs}) {
      for (int k = 0; k < indices->size; ++k) {
        const int index = indices->data[k];
        if (index != kTfLiteOptionalTensor) first_use_[index] = static_cast<int>(i);
      }
    }
  }
  for (int index : graph_.inputs) {
    if (index != kTfLiteOptionalTensor) first_use_[index] = -1;
  }
  for (size_t i = 0; i < graph_.tensors.size(); ++i) {
    if (graph_.tensors[i].is_variable) first_use_[i] = -1;
  }
}

TfLiteStatus Preparer::PrepareNode(int position, int node_index) {
  graph_.EnsureTensorsCapacity();
  auto& [node, registration] = graph_.nodes[node_index];
  std::vector<UsedBefore> overwritten;
  for (int o = 0; o < node.outputs->size; ++o) {
    const int index = node.outputs->data[o];
    if (index != kTfLiteOptionalTensor && first_use_[index] < position) {
      overwritten.emplace_back(index, graph_.tensors[index]);
    }
  }
  const TfLiteStatus status = CallPrepare(&graph_.context, registration, &node);
  if (status != kTfLiteOk && status != kTfLiteOutputShapeNotKnown) {
    return graph_.ReportNodeError(registration, node_index, "failed to prepare"), status;
  }
  for (const UsedBefore& tensor : overwritten) {
    if (status == kTfLiteOk && tensor.IsUnchanged(graph_.tensors[tensor.index()])) continue;
    graph_.ReportError(
        "Node number %d (%s) writes tensor %d, which is in use before it, with another type, "
        "shape or memory.",
        node_index, NodeName(registration), tensor.index());
    return kTfLiteError;
  }
  return status;
}

TfLiteStatus Preparer::PrepareFrom(int first, const std::vector<int>& plan, int* end) {
  if (first == 0) graph_.has_dynamic_tensors = false;
  if (first == 0 || first_use_plan_ != &plan) FindFirstUses(plan);
  shape_unknown_.resize(graph_.nodes.size(), false);
  for (size_t i = first; i < plan.size(); ++i) {
    const int node_index = plan[i];
    const TfLiteStatus status = PrepareNode(static_cast<int>(i), node_index);
    if (status != kTfLiteOk && status != kTfLiteOutputShapeNotKnown) {
      graph_.readiness = GraphState::kUninvokable;
      return status;
    }
    const TfLiteNode& node = graph_.nodes[node_index].first;
    *end = static_cast<int>(i) + 1;
    shape_unknown_[node_index] = status == kTfLiteOutputShapeNotKnown;
    if (shape_unknown_[node_index] && node.outputs->size > 0) {
      dynamic_tensor_ = node.outputs->data[0];
    }
    if (HasDynamicTensor(node.outputs->data, node.outputs->size, &dynamic_tensor_) ||
        shape_unknown_[node_index]) {
      graph_.has_dynamic_tensors = true;
      return kTfLiteOk;
    }
  }
  return kTfLiteOk;
}

void Preparer::ChooseLargeTensors(int first, int end) {
  const auto threshold = static_cast<size_t>(graph_.options->GetDynamicAllocationForLargeTensors());
  if (threshold == 0) return;
  large_tensors_.resize(graph_.tensors.size(), false);
  for (int i = first; i < end; ++i) {
    const TfLiteIntArray* outputs = graph_.nodes[graph_.execution_plan[i]].first.outputs;
    for (int o = 0; o < outputs->size; ++o) {
      const int index = outputs->data[o];
      if (index == kTfLiteOptionalTensor) continue;
      TfLiteTensor& tensor = graph_.tensors[index];
      if (tensor.allocation_type != kTfLiteArenaRw || tensor.bytes < threshold) continue;
      // Inputs and outputs keep their place for the application.
      if (planner_->LastUse(index) == ArenaPlanner::kForever) continue;
      tensor.allocation_type = kTfLiteDynamic;
      tensor.data.raw = nullptr;
      large_tensors_[index] = true;
    }
  }
}

TfLiteStatus Preparer::PrepareOpsAndTensors() {
  bool original_shapes_wanted = false;
  for (const TfLiteDelegate* delegate : graph_.delegates_applied) {
    const DelegateRecord* record = graph_.delegate_records.Find(delegate);
    original_shapes_wanted |=
        record != nullptr && (record->flags() & kTfLiteDelegateFlagsRequirePropagatedShapes);
  }
  if (original_shapes_wanted) {
    int end = progress_.to_prepare_original;
    const PrepareScope trial(PrepareScope::kTrial);
    TF_LITE_ENSURE_STATUS(
        PrepareFrom(progress_.to_prepare_original, graph_.pre_delegation_execution_plan, &end));
    progress_.to_prepare_original = end;
  }
  const int first = progress_.to_prepare;
  int end = first;
  {
    const PrepareScope final_one(PrepareScope::kFinal);
    TF_LITE_ENSURE_STATUS(PrepareFrom(first, graph_.execution_plan, &end));
  }
  progress_.to_prepare = end;
  ChooseLargeTensors(first, end);
  // Position 0 also places graph inputs, so it is planned even for a graph without nodes.
  if (planner_->Place(end > 0 ? end - 1 : 0) != kTfLiteOk) {
    graph_.ReportError("Failed to allocate memory for the tensors of subgraph %d.",
                       graph_.subgraph_index);
    graph_.readiness = GraphState::kUninvokable;
    return kTfLiteError;
  }
  return outside_.Use();
}

// Releases the file's pages, because kernels have their own packed copies of constants: the pages
// would stay beside these until the system runs short of memory. Does so once, because a later
// preparation finds the copies.
void Preparer::ReleaseModelPages() {
  if (model_pages_released_ || graph_.allocation == nullptr ||
      graph_.allocation->type() != tflite::Allocation::Type::kMMap) {
    return;
  }
  static_cast<const tflite::MMAPAllocation*>(graph_.allocation)->ReleasePages();
  model_pages_released_ = true;
}

// The inputs keep the application's values if only others have changed.
TfLiteStatus Preparer::PlanAndAllocate() {
  if (planner_ == nullptr) {
    planner_ =
        std::make_unique<ArenaPlanner>(std::make_unique<SubgraphInfo>(&graph_), graph_.allocator);
  }
  const InputValues values(*planner_, graph_.tensors, graph_.inputs);
  TF_LITE_ENSURE_STATUS(PlanAndPrepare());
  values.WriteTo(*planner_, &graph_.tensors);
  return kTfLiteOk;
}

void Preparer::ReturnLargeTensors() {
  for (size_t i = 0; i < large_tensors_.size(); ++i) {
    if (!large_tensors_[i]) continue;
    FreeTensorData(&graph_.tensors[i], graph_.allocator);
    graph_.tensors[i].allocation_type = kTfLiteArenaRw;
  }
  large_tensors_.clear();
}

TfLiteStatus Preparer::PlanAndPrepare() {
  const Nesting nesting(/*is_run=*/false);
  if (nesting.Error() != nullptr) {
    graph_.ReportError("%s", nesting.Error());
    return kTfLiteError;
  }
  const GraphState::Readiness wanted = graph_.readiness == GraphState::kInvokableAndImmutable
                                           ? GraphState::kInvokableAndImmutable
                                           : GraphState::kInvokable;
  graph_.readiness = GraphState::kUninvokable;
  ReturnLargeTensors();
  shape_unknown_.clear();
  planner_->PlanLifetimes(graph_.options->GetPreserveAllTensors());
  progress_ = Progress();
  graph_.preparing = true;
  const TfLiteStatus prepared = PrepareOpsAndTensors();
  graph_.preparing = false;
  TF_LITE_ENSURE_STATUS(prepared);
  graph_.readiness = wanted;
  graph_.plan_stale = false;
  TF_LITE_ENSURE_STATUS(ResetVariableTensors());
  ReleaseTemporariesOfReplacedNodes();
  ReleaseModelPages();
  return kTfLiteOk;
}

bool Preparer::IsReady() const {
  return graph_.consistent && graph_.readiness != GraphState::kUninvokable && !graph_.plan_stale &&
         planner_->HasMemory();
}

TfLiteStatus Preparer::Allocate() {
  if (graph_.readiness == GraphState::kUninvokable || graph_.plan_stale ||
      HasDynamicTensor(graph_.inputs.data(), graph_.inputs.size(), nullptr)) {
    return PlanAndAllocate();
  }
  if (!planner_->HasMemory() && planner_->Reacquire() != kTfLiteOk) {
    graph_.ReportError("Failed to allocate memory for the tensors of subgraph %d.",
                       graph_.subgraph_index);
    return kTfLiteError;
  }
  return outside_.Use();
}

TfLiteStatus Preparer::TryPrepare() {
  const PrepareScope trial(PrepareScope::kTrial);
  int end = 0;
  return PrepareFrom(0, graph_.execution_plan, &end);
}

TfLiteStatus Preparer::Continue(int position) {
  TF_LITE_ENSURE_STATUS(PrepareOpsAndTensors());
  return progress_.to_prepare > position ? kTfLiteOk : kTfLiteError;
}

void Preparer::NoteResizedOutputs(int position, const TfLiteNode& node) {
  if (!graph_.tensor_resized) return;
  const int node_index = graph_.execution_plan[position];
  const bool open =
      static_cast<size_t>(node_index) < shape_unknown_.size() && shape_unknown_[node_index];
  if (!open && !HasDynamicTensor(node.outputs->data, node.outputs->size, nullptr)) return;
  // Everything after this node sees new shapes and gets a new place.
  if (progress_.to_prepare > position + 1) {
    progress_.to_prepare = position + 1;
    planner_->ForgetAfter(position);
  }
}

void Preparer::ReleaseTemporariesOfReplacedNodes() {
  if (!graph_.plan_saved) return;
  std::vector<bool> runs(graph_.nodes.size(), false);
  for (int node_index : graph_.execution_plan) runs[node_index] = true;
  for (int node_index : graph_.pre_delegation_execution_plan) {
    if (runs[node_index]) continue;
    const TfLiteNode& node = graph_.nodes[node_index].first;
    for (int i = 0; i < node.temporaries->size; ++i) {
      TfLiteTensor* temporary = graph_.tensor(node.temporaries->data[i]);
      if (temporary != nullptr && OwnsBlock(*temporary)) {
        FreeTensorData(temporary, graph_.allocator);
      }
    }
  }
}

void Preparer::ReleaseArena() {
  if (planner_ != nullptr) planner_->ReleaseMemory();
}

TfLiteStatus Preparer::ResetVariableTensors() {
  for (TfLiteTensor& tensor : graph_.tensors) {
    if (tensor.allocation_type == kTfLiteCustom) continue;
    TF_LITE_ENSURE_STATUS(tflite::ResetVariableTensor(&tensor));
  }
  return kTfLiteOk;
}

}  // namespace tern
