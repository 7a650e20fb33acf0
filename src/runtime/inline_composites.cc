// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: nodes of decompositions in the place of composites. A composite stays where its kernel
// does more than run the decomposition, where a delegate took a part of that, and where results
// would differ: a variable or an input that is written belongs to the decomposition, an output that
// no node makes needs a copy, and tensors of another type or quantization hold other numbers.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "base/composite_kernel.h"
#include "runtime/arena_planner.h"
#include "runtime/delegate_records.h"
#include "runtime/nesting.h"
#include "runtime/owned_constants.h"
#include "runtime/subgraph_profiler.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/util.h"

namespace tflite {
namespace {

// A small file may name any number of nodes, by composites that use each other twice.
constexpr size_t kMostNodes = size_t{1} << 18;

std::vector<int> ToVector(const TfLiteIntArray* array) {
  if (array == nullptr) return {};
  return {array->data, array->data + array->size};
}

bool SameQuantization(const TfLiteTensor& a, const TfLiteTensor& b) {
  return a.type == b.type && a.quantization.type == b.quantization.type &&
         a.params.scale == b.params.scale && a.params.zero_point == b.params.zero_point;
}

int ParamsSize(const TfLiteRegistration& registration) {
  return GetBuiltinDataSize(static_cast<BuiltinOperator>(registration.builtin_code));
}

// Pointers in parameters lead to what the node of the decomposition keeps.
void* CopyParams(const TfLiteNode& node, const TfLiteRegistration& registration) {
  if (node.builtin_data == nullptr) return nullptr;
  const auto size = static_cast<size_t>(ParamsSize(registration));
  void* copy = std::malloc(size);
  if (copy != nullptr) std::memcpy(copy, node.builtin_data, size);
  return copy;
}

bool HasEach(const std::set<int>& set, const std::vector<int>& indices, bool wanted) {
  return std::all_of(indices.begin(), indices.end(),
                     [&](int index) { return (set.count(index) != 0) == wanted; });
}

}  // namespace

bool Subgraph::CanReplaceComposite() const {
  std::set<int> written;
  for (int node_index : execution_plan_) {
    const auto& [node, registration] = nodes_and_registration_[node_index];
    if (node.delegate != nullptr) return false;
    if (node.builtin_data != nullptr && ParamsSize(registration) == 0) return false;
    for (int o = 0; o < node.outputs->size; ++o) written.insert(node.outputs->data[o]);
  }
  const std::set<int> inputs(inputs_.begin(), inputs_.end());
  const std::set<int> outputs(outputs_.begin(), outputs_.end());
  return inputs.size() == inputs_.size() && outputs.size() == outputs_.size() &&
         HasEach(written, inputs_, false) && HasEach(written, outputs_, true) &&
         HasEach(inputs, outputs_, false) && inputs.count(kTfLiteOptionalTensor) == 0 &&
         outputs.count(kTfLiteOptionalTensor) == 0 &&
         std::none_of(tensors_.begin(), tensors_.end(),
                      [](const TfLiteTensor& tensor) { return tensor.is_variable; });
}

Subgraph* Subgraph::DecompositionOf(int node_index) {
  const auto& [node, registration] = nodes_and_registration_[node_index];
  if (!tern::RunsDecomposition(registration) || node.builtin_data == nullptr ||
      subgraphs_ == nullptr) {
    return nullptr;
  }
  const int index =
      static_cast<const TfLiteStablehloCompositeParams*>(node.builtin_data)->subgraph_index;
  if (index < 0 || static_cast<size_t>(index) >= subgraphs_->size()) return nullptr;
  Subgraph* decomposition = (*subgraphs_)[index].get();
  const auto fit = [&](const TfLiteIntArray* operands, const std::vector<int>& places) {
    if (static_cast<size_t>(operands->size) != places.size()) return false;
    for (int i = 0; i < operands->size; ++i) {
      const TfLiteTensor* outside = tensor(operands->data[i]);
      if (outside == nullptr || !SameQuantization(*outside, decomposition->tensors_[places[i]])) {
        return false;
      }
    }
    return true;
  };
  const bool fits = decomposition->CanReplaceComposite() &&
                    fit(node.inputs, decomposition->inputs_) &&
                    fit(node.outputs, decomposition->outputs_);
  return fits ? decomposition : nullptr;
}

TfLiteStatus Subgraph::AddCopyOf(const TfLiteTensor& from, int* index) {
  if (!spare_tensors_.empty()) {
    *index = spare_tensors_.back();
    spare_tensors_.pop_back();
    FreeData(&tensors_[*index]);
    TfLiteTensorFree(&tensors_[*index]);
  } else {
    TF_LITE_ENSURE_STATUS(AddTensors(1, index));
  }
  if (plan_saved_) inlined_tensors_.push_back(*index);
  const bool constant = from.allocation_type == kTfLiteMmapRo;
  TfLiteTensor plain = from;
  if (!constant) plain.data.raw = nullptr;
  TfLiteTensor copy = TfLiteTensorClone(plain);
  copy.delegate = nullptr;
  copy.buffer_handle = kTfLiteNullBufferHandle;
  copy.data_is_stale = false;
  if (!constant) {
    copy.allocation_type = tern::HasOpenSize(copy.type) ? kTfLiteDynamic : kTfLiteArenaRw;
  }
  tensors_[*index] = copy;
  return kTfLiteOk;
}

// Adds copies of the nodes of a decomposition, which work on the operands of the composite.
TfLiteStatus Subgraph::CopyNodes(int composite, const Subgraph& decomposition,
                                 std::vector<int>* copies) {
  std::vector<int> places(decomposition.tensors_.size(), kTfLiteOptionalTensor);
  std::vector<bool> placed(places.size(), false);
  const auto place_operands = [&](const TfLiteIntArray* operands, const std::vector<int>& at) {
    for (size_t i = 0; i < at.size(); ++i) {
      places[at[i]] = operands->data[i];
      placed[at[i]] = true;
    }
  };
  place_operands(nodes_and_registration_[composite].first.inputs, decomposition.inputs_);
  place_operands(nodes_and_registration_[composite].first.outputs, decomposition.outputs_);
  const auto place_all = [&](std::vector<int>* indices) {
    for (int& index : *indices) {
      if (index == kTfLiteOptionalTensor) continue;
      if (!placed[index]) {
        TF_LITE_ENSURE_STATUS(AddCopyOf(decomposition.tensors_[index], &places[index]));
        placed[index] = true;
      }
      index = places[index];
    }
    return kTfLiteOk;
  };
  for (int node_index : decomposition.execution_plan_) {
    const auto& [node, registration] = decomposition.nodes_and_registration_[node_index];
    std::vector<int> inputs = ToVector(node.inputs), outputs = ToVector(node.outputs),
                     intermediates = ToVector(node.intermediates);
    for (std::vector<int>* indices : {&inputs, &outputs, &intermediates}) {
      TF_LITE_ENSURE_STATUS(place_all(indices));
    }
    void* params = CopyParams(node, registration);
    if (params == nullptr && node.builtin_data != nullptr) return kTfLiteError;
    int copy = 0;
    TF_LITE_ENSURE_STATUS(
        AddNode(inputs, outputs, intermediates, static_cast<const char*>(node.custom_initial_data),
                static_cast<size_t>(node.custom_initial_data_size), params, registration, &copy));
    copies->push_back(copy);
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::AppendInlined(const std::vector<int>& nodes,
                                     std::vector<const Subgraph*>* callers,
                                     std::vector<int>* plan) {
  for (int node : nodes) {
    const Subgraph* decomposition = DecompositionOf(node);
    // One that leads back to itself fails when its kernel prepares.
    if (decomposition == nullptr || callers->size() > tern::Nesting::kMaxDepth ||
        std::find(callers->begin(), callers->end(), decomposition) != callers->end()) {
      plan->push_back(node);
      continue;
    }
    std::vector<int> copies;
    TF_LITE_ENSURE_STATUS(CopyNodes(node, *decomposition, &copies));
    if (nodes_and_registration_.size() > kMostNodes) {
      ReportError("Composites of subgraph %d make more than %d nodes.", subgraph_index_,
                  static_cast<int>(kMostNodes));
      return kTfLiteError;
    }
    ReplaceInControlEdges(node, *decomposition, copies);
    callers->push_back(decomposition);
    TF_LITE_ENSURE_STATUS(AppendInlined(copies, callers, plan));
    callers->pop_back();
  }
  return kTfLiteOk;
}

// A node ordered before or after the composite runs before or after all of its nodes, which keep
// the order that the decomposition has. Nodes that go when delegates are undone have no edges.
void Subgraph::ReplaceInControlEdges(int composite, const Subgraph& decomposition,
                                     const std::vector<int>& copies) {
  if (control_edges_ == nullptr || plan_saved_) return;
  ControlEdges edges;
  for (const ControlEdge& edge : *control_edges_) {
    if (edge.first != composite && edge.second != composite) edges.push_back(edge);
    for (int copy : copies) {
      if (edge.first == composite) edges.emplace_back(copy, edge.second);
      if (edge.second == composite) edges.emplace_back(edge.first, copy);
    }
  }
  for (size_t i = 1; i < copies.size() && decomposition.control_edges_ != nullptr; ++i) {
    edges.emplace_back(copies[i - 1], copies[i]);
  }
  *control_edges_ = std::move(edges);
}

TfLiteStatus Subgraph::InlineComposites() {
  if (options_ == nullptr || !options_->GetShloCompositeInlining()) return kTfLiteOk;
  const std::vector<int> old_plan = execution_plan_;
  std::vector<int> plan;
  std::vector<const Subgraph*> callers = {this};
  const TfLiteStatus status = AppendInlined(old_plan, &callers, &plan);
  execution_plan_ = status == kTfLiteOk ? std::move(plan) : old_plan;
  if (execution_plan_ != old_plan) plan_stale_ = true;
  return status;
}

}  // namespace tflite
