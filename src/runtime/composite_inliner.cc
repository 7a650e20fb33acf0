// SPDX-License-Identifier: Apache-2.0
//
// Nodes of decompositions in the place of composites. A composite stays where its kernel
// does more than run the decomposition, where a delegate took a part of that, and where results
// would differ: a variable or an input that is written belongs to the decomposition, an output that
// no node makes needs a copy, and tensors of another type or quantization hold other numbers.
#include "runtime/composite_inliner.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include "abi/composite_kernel.h"
#include "runtime/nesting.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/util.h"

namespace tern {
namespace {

// A small file may name any number of nodes, by composites that use each other twice.
constexpr size_t kMaxNodes = size_t{1} << 18;

std::vector<int> ToVector(const TfLiteIntArray* array) {
  if (array == nullptr) return {};
  return {array->data, array->data + array->size};
}

bool SameQuantization(const TfLiteTensor& a, const TfLiteTensor& b) {
  return a.type == b.type && a.quantization.type == b.quantization.type &&
         a.params.scale == b.params.scale && a.params.zero_point == b.params.zero_point;
}

int ParamsSize(const TfLiteRegistration& registration) {
  return tflite::GetBuiltinDataSize(
      static_cast<tflite::BuiltinOperator>(registration.builtin_code));
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

// Whether the nodes of `graph` may take the place of a composite.
bool CanReplaceComposite(const GraphState& graph) {
  std::set<int> written;
  for (int node_index : graph.execution_plan) {
    const auto& [node, registration] = graph.nodes[node_index];
    if (node.delegate != nullptr) return false;
    if (node.builtin_data != nullptr && ParamsSize(registration) == 0) return false;
    for (int o = 0; o < node.outputs->size; ++o) written.insert(node.outputs->data[o]);
  }
  const std::set<int> inputs(graph.inputs.begin(), graph.inputs.end());
  const std::set<int> outputs(graph.outputs.begin(), graph.outputs.end());
  return inputs.size() == graph.inputs.size() && outputs.size() == graph.outputs.size() &&
         HasEach(written, graph.inputs, false) && HasEach(written, graph.outputs, true) &&
         HasEach(inputs, graph.outputs, false) && inputs.count(kTfLiteOptionalTensor) == 0 &&
         outputs.count(kTfLiteOptionalTensor) == 0 &&
         std::none_of(graph.tensors.begin(), graph.tensors.end(),
                      [](const TfLiteTensor& tensor) { return tensor.is_variable; });
}

}  // namespace

GraphState* CompositeInliner::DecompositionOf(int node_index) {
  const auto& [node, registration] = graph_.nodes[node_index];
  if (!RunsDecomposition(registration) || node.builtin_data == nullptr) {
    return nullptr;
  }
  const int index =
      static_cast<const TfLiteStablehloCompositeParams*>(node.builtin_data)->subgraph_index;
  tflite::Subgraph* called = graph_.OtherGraph(index);
  if (called == nullptr) return nullptr;
  GraphState* decomposition = &GraphState::Of(*called);
  const auto fit = [&](const TfLiteIntArray* operands, const std::vector<int>& places) {
    if (static_cast<size_t>(operands->size) != places.size()) return false;
    for (int i = 0; i < operands->size; ++i) {
      const TfLiteTensor* outside = graph_.tensor(operands->data[i]);
      if (outside == nullptr || !SameQuantization(*outside, decomposition->tensors[places[i]])) {
        return false;
      }
    }
    return true;
  };
  const bool fits = CanReplaceComposite(*decomposition) &&
                    fit(node.inputs, decomposition->inputs) &&
                    fit(node.outputs, decomposition->outputs);
  return fits ? decomposition : nullptr;
}

TfLiteStatus CompositeInliner::AddCopyOf(const TfLiteTensor& from, int* index) {
  if (!spare_tensors_.empty()) {
    *index = spare_tensors_.back();
    spare_tensors_.pop_back();
    graph_.FreeData(&graph_.tensors[*index]);
    TfLiteTensorFree(&graph_.tensors[*index]);
  } else {
    TF_LITE_ENSURE_STATUS(graph_.AddTensors(1, index));
  }
  if (graph_.plan_saved) inlined_tensors_.push_back(*index);
  const bool constant = from.allocation_type == kTfLiteMmapRo;
  TfLiteTensor plain = from;
  if (!constant) plain.data.raw = nullptr;
  TfLiteTensor copy = TfLiteTensorClone(plain);
  copy.delegate = nullptr;
  copy.buffer_handle = kTfLiteNullBufferHandle;
  copy.data_is_stale = false;
  if (!constant) {
    copy.allocation_type = HasOpenSize(copy.type) ? kTfLiteDynamic : kTfLiteArenaRw;
  }
  graph_.tensors[*index] = copy;
  return kTfLiteOk;
}

// Adds copies of the nodes of a decomposition, which work on the operands of the composite.
TfLiteStatus CompositeInliner::CopyNodes(int composite, const GraphState& decomposition,
                                         std::vector<int>* copies) {
  std::vector<int> places(decomposition.tensors.size(), kTfLiteOptionalTensor);
  std::vector<bool> placed(places.size(), false);
  const auto place_operands = [&](const TfLiteIntArray* operands, const std::vector<int>& at) {
    for (size_t i = 0; i < at.size(); ++i) {
      places[at[i]] = operands->data[i];
      placed[at[i]] = true;
    }
  };
  place_operands(graph_.nodes[composite].first.inputs, decomposition.inputs);
  place_operands(graph_.nodes[composite].first.outputs, decomposition.outputs);
  const auto place_all = [&](std::vector<int>* indices) {
    for (int& index : *indices) {
      if (index == kTfLiteOptionalTensor) continue;
      if (!placed[index]) {
        TF_LITE_ENSURE_STATUS(AddCopyOf(decomposition.tensors[index], &places[index]));
        placed[index] = true;
      }
      index = places[index];
    }
    return kTfLiteOk;
  };
  for (int node_index : decomposition.execution_plan) {
    const auto& [node, registration] = decomposition.nodes[node_index];
    std::vector<int> inputs = ToVector(node.inputs), outputs = ToVector(node.outputs),
                     intermediates = ToVector(node.intermediates);
    for (std::vector<int>* indices : {&inputs, &outputs, &intermediates}) {
      TF_LITE_ENSURE_STATUS(place_all(indices));
    }
    void* params = CopyParams(node, registration);
    if (params == nullptr && node.builtin_data != nullptr) return kTfLiteError;
    int copy = 0;
    TF_LITE_ENSURE_STATUS(graph_.AddNode(
        inputs, outputs, intermediates, static_cast<const char*>(node.custom_initial_data),
        static_cast<size_t>(node.custom_initial_data_size), params, registration, &copy));
    copies->push_back(copy);
  }
  return kTfLiteOk;
}

TfLiteStatus CompositeInliner::Append(const std::vector<int>& nodes,
                                      std::vector<const GraphState*>* callers,
                                      std::vector<int>* plan) {
  for (int node : nodes) {
    const GraphState* decomposition = DecompositionOf(node);
    // One that leads back to itself fails when its kernel prepares.
    if (decomposition == nullptr || callers->size() > Nesting::kMaxDepth ||
        std::find(callers->begin(), callers->end(), decomposition) != callers->end()) {
      plan->push_back(node);
      continue;
    }
    std::vector<int> copies;
    TF_LITE_ENSURE_STATUS(CopyNodes(node, *decomposition, &copies));
    if (graph_.nodes.size() > kMaxNodes) {
      graph_.ReportError("Composites of subgraph %d make more than %d nodes.",
                         graph_.subgraph_index, static_cast<int>(kMaxNodes));
      return kTfLiteError;
    }
    ReplaceInControlEdges(node, *decomposition, copies);
    callers->push_back(decomposition);
    TF_LITE_ENSURE_STATUS(Append(copies, callers, plan));
    callers->pop_back();
  }
  return kTfLiteOk;
}

// A node ordered before or after the composite runs before or after all of its nodes, which keep
// the order that the decomposition has. Nodes that go when delegates are undone have no edges.
void CompositeInliner::ReplaceInControlEdges(int composite, const GraphState& decomposition,
                                             const std::vector<int>& copies) {
  if (graph_.control_edges == nullptr || graph_.plan_saved) return;
  tflite::ControlEdges edges;
  for (const tflite::ControlEdge& edge : *graph_.control_edges) {
    if (edge.first != composite && edge.second != composite) edges.push_back(edge);
    for (int copy : copies) {
      if (edge.first == composite) edges.emplace_back(copy, edge.second);
      if (edge.second == composite) edges.emplace_back(edge.first, copy);
    }
  }
  for (size_t i = 1; i < copies.size() && decomposition.control_edges != nullptr; ++i) {
    edges.emplace_back(copies[i - 1], copies[i]);
  }
  *graph_.control_edges = std::move(edges);
}

void CompositeInliner::ReleaseTensors() {
  spare_tensors_.insert(spare_tensors_.end(), inlined_tensors_.begin(), inlined_tensors_.end());
  inlined_tensors_.clear();
}

TfLiteStatus CompositeInliner::Inline() {
  if (!graph_.options->GetShloCompositeInlining()) return kTfLiteOk;
  const std::vector<int> old_plan = graph_.execution_plan;
  std::vector<int> plan;
  std::vector<const GraphState*> callers = {&graph_};
  const TfLiteStatus status = Append(old_plan, &callers, &plan);
  graph_.execution_plan = status == kTfLiteOk ? std::move(plan) : old_plan;
  if (graph_.execution_plan != old_plan) graph_.plan_stale = true;
  return status;
}

}  // namespace tern
