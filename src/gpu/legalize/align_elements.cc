// SPDX-License-Identifier: Apache-2.0
// The CPU moves and compares elements as they are, between tensors whose elements stand for other
// numbers, too. Inside the graph numbers are moved instead. So a node that does so sees what it
// reads as its output's elements: a constant by the output's scale, a computed tensor behind a step
// that gives the same element its other number. Its further outputs have such a step behind them.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/graph/graph.h"
#include "gpu/legalize/legalize.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

Node Step(const Node& of, TensorId from, TensorId to) {
  Node node;
  node.index = of.index;
  node.internal = InternalOp::kReinterpret;
  node.rule = std::make_shared<ElementRule>(Computed{});
  node.op = "QUANTIZE";
  node.inputs = {from};
  node.outputs = {to};
  return node;
}

// Whether elements of the same type stand for other numbers, or, of a constant, for none.
bool Differs(const GraphTensor& tensor, const QuantizedType& q) {
  if (!tensor.is_constant()) {
    return tensor.quantized && tensor.quantized->type == q.type && *tensor.quantized != q;
  }
  const AffineQuantization* own = tensor.affine();
  if (tensor.data_type() != q.type) return false;
  return own == nullptr ||
         (own->is_single() && (own->scales[0] != q.scale || own->zero_points[0] != q.zero_point));
}

TensorId Add(Graph& graph, GraphTensor tensor) {
  graph.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(graph.tensors.size()) - 1;
}

// Numbers in the order of elements as a constant.
TensorId AddNumbers(Graph& graph, const std::string& name, std::vector<int> dims,
                    const std::vector<float>& numbers) {
  GraphTensor tensor;
  tensor.name = name;
  tensor.dims = std::move(dims);
  tensor.data = Owned(numbers);
  return Add(graph, std::move(tensor));
}

// An operand's elements as the operation changes them before it moves them; none where they stay.
std::optional<std::vector<float>> Realigned(const GraphTensor& tensor, const Moved& rule,
                                            const QuantizedType& q) {
  if (rule.realigned == nullptr) return std::nullopt;
  if (tensor.quantized) return rule.realigned(*tensor.quantized, q);
  const AffineQuantization* own = tensor.affine();
  if (own == nullptr) return std::nullopt;
  return rule.realigned({q.type, own->scales[0], own->zero_point(0)}, q);
}

// A constant of UINT8 elements as the numbers that they become.
TensorId RealignedConstant(Graph& graph, TensorId id, const std::vector<float>& numbers) {
  const GraphTensor& tensor = graph.tensors[id];
  const auto* elements = static_cast<const uint8_t*>(tensor.data.get());
  const auto count = static_cast<size_t>(tensor.box().elements());
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = numbers[elements[i]];
  return AddNumbers(graph, tensor.name, tensor.dims, values);
}

// The same stored values with another quantization.
TensorId ViewedAs(Graph& graph, TensorId id, const QuantizedType& q) {
  GraphTensor tensor = graph.tensors[id];
  if (tensor.is_constant()) {
    tensor.type = kTfLiteFloat32;
    tensor.stored = q.type;
    tensor.SetQuantization({{q.scale}, {q.zero_point}});
  } else {
    tensor.quantized = q;
  }
  return Add(graph, std::move(tensor));
}

// Returns the nodes that take the place of one node; adds their tensors to the graph.
std::vector<Node> AlignNode(Graph& graph, const Node& node) {
  const Moved* const rule = node.RuleOf<Moved>();
  const bool moves = rule != nullptr && !node.outputs.empty() && node.outputs[0] >= 0 &&
                     graph.tensors[node.outputs[0]].quantized;
  if (!moves) return {node};
  const QuantizedType q = *graph.tensors[node.outputs[0]].quantized;
  std::vector<Node> before, after;
  Node aligned = node;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const TensorId id = node.inputs[i];
    const bool is_index = static_cast<int>(i) == rule->index_input;
    if (id < 0 || is_index || !Differs(graph.tensors[id], q)) continue;
    const bool constant = graph.tensors[id].is_constant();
    const std::optional<std::vector<float>> realigned = Realigned(graph.tensors[id], *rule, q);
    aligned.inputs[i] =
        realigned && constant ? RealignedConstant(graph, id, *realigned) : ViewedAs(graph, id, q);
    if (constant) continue;
    before.push_back(Step(node, id, aligned.inputs[i]));
    if (realigned)
      before.back().results = AddNumbers(graph, Label(node) + " results", {256}, *realigned);
  }
  for (size_t i = 1; i < node.outputs.size(); ++i) {
    const TensorId id = node.outputs[i];
    const bool is_index = static_cast<int>(i) == rule->index_output;
    if (id < 0 || is_index || !Differs(graph.tensors[id], q)) continue;
    aligned.outputs[i] = ViewedAs(graph, id, q);
    after.push_back(Step(node, aligned.outputs[i], id));
  }
  std::vector<Node> nodes = std::move(before);
  nodes.push_back(std::move(aligned));
  for (Node& step : after) nodes.push_back(std::move(step));
  return nodes;
}

}  // namespace

void AlignElements(Graph& graph) {
  for (const Node& node : std::exchange(graph.nodes, {})) {
    for (Node& one : AlignNode(graph, node)) graph.nodes.push_back(std::move(one));
  }
}

}  // namespace tern::gpu
