// SPDX-License-Identifier: Apache-2.0
// Makes quantized tensors FLOAT32 inside the graph. QUANTIZE rounds the results of a node to real
// values of stored values; the graph's inputs and outputs get tensors of the type at the API, with
// DEQUANTIZE and QUANTIZE between them and the floats.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "gpu/graph/graph.h"
#include "gpu/legalize/fixed_point.h"
#include "gpu/legalize/legalize.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

Node Conversion(InternalOp internal, const Node& of, TensorId from, TensorId to) {
  Node node;
  node.index = of.index;
  node.internal = internal;
  node.op = internal == InternalOp::kUnpackElements ? "DEQUANTIZE" : "QUANTIZE";
  node.inputs = {from};
  node.outputs = {to};
  return node;
}

class Quantizer {
 public:
  static constexpr int kManyBuffers = 8;

  Quantizer(Graph& graph, int max_buffers) : graph_(graph), max_buffers_(max_buffers) {}

  void Run() {
    std::vector<Node> nodes = std::exchange(graph_.nodes, {});
    for (TensorId& id : graph_.inputs) TakeIn(id, nodes);
    for (size_t n = 0; n < nodes.size(); ++n) AddQuantized(nodes, n);
    for (TensorId& id : graph_.outputs) GiveOut(id);
  }

 private:
  TensorId Copy(TensorId id) {
    graph_.tensors.push_back(graph_.tensors[id]);
    return static_cast<TensorId>(graph_.tensors.size()) - 1;
  }

  // The tensor as it is at the API.
  TensorId Outer(TensorId id) {
    const TensorId outer = Copy(id);
    graph_.tensors[outer].type = graph_.tensors[id].quantized->type;
    return outer;
  }

  void TakeIn(TensorId& input, const std::vector<Node>& nodes) {
    if (!graph_.tensors[input].quantized || nodes.empty()) return;
    const TensorId outer = Outer(input);
    graph_.nodes.push_back(Conversion(InternalOp::kUnpackElements, nodes.front(), outer, input));
    input = outer;
  }

  // A result that is known before the run, as of FILL or DENSIFY, has at the API the elements
  // stored: they are packed as plain numbers. DEQUANTIZE has made floats of them.
  void GiveOutConstant(TensorId& output) {
    const int producer = graph_.Producer(output);
    const TfLiteType type = graph_.tensors[output].data_type();
    const TypeRow* row = FindType(type);
    const bool elements =
        producer >= 0 && graph_.nodes[producer].builtin_code != kTfLiteBuiltinDequantize;
    if (!elements || row == nullptr || row->io_conversion != IoConversion::kPacked) return;
    const TensorId plain = Copy(output);
    graph_.tensors[plain].type = kTfLiteFloat32;
    graph_.tensors[plain].stored = type;
    graph_.tensors[plain].SetQuantization({{1}, {0}});
    output = Copy(output);
    GraphTensor& outer = graph_.tensors[output];
    outer.data = nullptr;
    outer.type = type;
    outer.stored = kTfLiteNoType;
    outer.quantized = QuantizedType{type, 1, 0};
    graph_.nodes.push_back(
        Conversion(InternalOp::kPackElements, graph_.nodes[producer], plain, output));
  }

  void GiveOut(TensorId& output) {
    const GraphTensor& tensor = graph_.tensors[output];
    if (graph_.nodes.empty()) return;
    if (tensor.is_constant()) return GiveOutConstant(output);
    if (!tensor.quantized) return;
    const int producer = std::max(graph_.Producer(output), 0);
    const TensorId outer = Outer(output);
    const Node& by = graph_.nodes[producer];
    graph_.nodes.push_back(Conversion(InternalOp::kPackElements, by, output, outer));
    if (raw_.count(output) != 0) graph_.tensors[output].quantized.reset();
    output = outer;
  }

  bool IsReadInside(TensorId id, const std::vector<Node>& nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
      return std::find(node.inputs.begin(), node.inputs.end(), id) != node.inputs.end();
    });
  }

  // Whether the results of the node are real values of stored values without rounding.
  static bool Keeps(const Node& node) {
    return node.requantization || node.RuleOf<Moved>() != nullptr ||
           node.RuleOf<Computed>() != nullptr;
  }

  // A constant [1] or [channels] of RoundingThresholds; -1 for nodes that round in one step.
  // Devices with few buffers take one threshold for all channels.
  TensorId AddRoundingThresholds(const Node& node) {
    const std::optional<FixedPointSums> sums = FixedPointSumsOf(graph_, node);
    if (!sums || sums->operands.wide) return -1;
    std::vector<float> thresholds = RoundingThresholds(*sums);
    const std::vector<int>& dims = graph_.tensors[node.outputs[0]].dims;
    const bool fits = !dims.empty() && dims.back() == static_cast<int>(thresholds.size());
    if (thresholds.size() > 1 && (!fits || max_buffers_ < kManyBuffers))
      thresholds = {MostCommon(thresholds)};
    return AddConstant(StrCat(Label(node), " rounding points"), thresholds);
  }

  TensorId AddConstant(std::string name, const std::vector<float>& numbers) {
    GraphTensor tensor;
    tensor.name = std::move(name);
    tensor.dims = {static_cast<int>(numbers.size())};
    tensor.data = Owned(numbers);
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph_.tensors.size()) - 1;
  }

  static float MostCommon(const std::vector<float>& thresholds) {
    return *std::max_element(thresholds.begin(), thresholds.end(), [&](float a, float b) {
      return std::count(thresholds.begin(), thresholds.end(), a) <
             std::count(thresholds.begin(), thresholds.end(), b);
    });
  }

  void AddQuantized(const std::vector<Node>& nodes, size_t n) {
    Node node = nodes[n];
    if (const Tabled* const rule = node.RuleOf<Tabled>()) {
      node.results = AddConstant(Label(node) + " results", rule->numbers);
      return graph_.nodes.push_back(std::move(node));
    }
    if (node.RuleOf<Computed>() != nullptr) node.made = graph_.MadeBy(node);
    std::vector<Node> after;
    for (TensorId& id : node.outputs) {
      if (id < 0 || !graph_.tensors[id].quantized || Keeps(nodes[n])) continue;
      const TensorId thresholds = AddRoundingThresholds(nodes[n]);
      // At the graph's edge its output's own conversion is enough, which has no thresholds.
      if (thresholds < 0 && !IsReadInside(id, nodes)) {
        raw_.insert(id);
        continue;
      }
      const TensorId raw = Copy(id);
      after.push_back(Conversion(InternalOp::kFakeQuantize, node, raw, id));
      if (thresholds >= 0) after.back().inputs.push_back(thresholds);
      graph_.tensors[raw].quantized.reset();
      id = raw;
    }
    graph_.nodes.push_back(std::move(node));
    for (Node& conversion : after) graph_.nodes.push_back(std::move(conversion));
  }

  Graph& graph_;
  const int max_buffers_;
  std::set<TensorId> raw_;  // their own conversion at the graph's edge rounds them
};

}  // namespace

void QuantizeValues(Graph& graph, const DeviceInfo& device) {
  Quantizer(graph, device.max_buffers).Run();
}

}  // namespace tern::gpu
