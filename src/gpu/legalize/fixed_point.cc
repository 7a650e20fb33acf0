// SPDX-License-Identifier: Apache-2.0
// The multipliers of sums, and where they round.
#include "gpu/legalize/fixed_point.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/tensor/multiplier.h"
#include "gpu/legalize/legalize.h"

namespace tern::gpu {
namespace {

// The scales of a constant: one, or `count` where that is not 0; null for anything else.
const std::vector<float>* ScalesOf(const Graph& graph, TensorId id, size_t count) {
  if (id < 0 || !graph.tensors[id].is_constant()) return nullptr;
  const AffineQuantization* q = graph.tensors[id].affine();
  if (q == nullptr || q->scales.empty()) return nullptr;
  const bool fits = count == 0 || q->scales.size() == 1 || q->scales.size() == count;
  return fits ? &q->scales : nullptr;
}

// A computed one has the scales of the products, whatever those are.
bool HasConstantBias(const Graph& graph, const Node& node, const SummedProducts& operands) {
  const auto bias = static_cast<size_t>(operands.bias);
  return node.inputs.size() > bias && node.inputs[bias] >= 0 &&
         graph.tensors[node.inputs[bias]].is_constant();
}

// The node's own tensor with the scales of operand `input` times the factors, one or one for each
// place along an axis.
void Rescale(Graph& graph, Node& node, int input, const std::vector<double>& factors, int axis) {
  GraphTensor tensor = graph.tensors[node.inputs[input]];
  const std::vector<float> scales = tensor.affine()->scales;
  AffineQuantization q{std::vector<float>(std::max(scales.size(), factors.size())), {0}, axis};
  for (size_t i = 0; i < q.scales.size(); ++i) {
    const double scale = scales[scales.size() == 1 ? 0 : i];
    q.scales[i] = static_cast<float>(scale * factors[factors.size() == 1 ? 0 : i]);
  }
  tensor.SetQuantization(std::move(q));
  graph.tensors.push_back(std::move(tensor));
  node.inputs[input] = static_cast<TensorId>(graph.tensors.size()) - 1;
}

}  // namespace

std::optional<FixedPointSums> FixedPointSumsOf(const Graph& graph, const Node& node) {
  const SummedProducts* const rule = node.RuleOf<SummedProducts>();
  if (rule == nullptr || rule->real || node.outputs.size() != 1 || node.inputs.size() < 2)
    return std::nullopt;
  const SummedProducts& operands = *rule;
  if (node.inputs.size() <= static_cast<size_t>(std::max(operands.filter, operands.input)) ||
      node.inputs[operands.input] < 0) {
    return std::nullopt;
  }
  const std::optional<QuantizedType>& in = graph.tensors[node.inputs[operands.input]].quantized;
  const std::optional<QuantizedType>& out = graph.tensors[node.outputs[0]].quantized;
  const std::vector<float>* scales = ScalesOf(graph, node.inputs[operands.filter], 0);
  if (!in || !out || scales == nullptr) return std::nullopt;
  if (HasConstantBias(graph, node, operands) &&
      ScalesOf(graph, node.inputs[operands.bias], scales->size()) == nullptr) {
    return std::nullopt;
  }
  FixedPointSums sums{operands, {}};
  for (const float scale : *scales) {
    const double real = double{in->scale} * double{scale} / double{out->scale};
    if (!(real > 0) || !std::isfinite(real)) return std::nullopt;
    sums.multipliers.push_back(real);
  }
  return sums;
}

std::vector<float> RoundingThresholds(const FixedPointSums& sums) {
  std::vector<float> thresholds;
  for (const double multiplier : sums.multipliers) {
    int exponent = 0;
    std::frexp(multiplier, &exponent);
    const double unit = exponent < 0 ? std::ldexp(1.0, exponent) : 0;
    thresholds.push_back(static_cast<float>(0.5 - unit / 2));
  }
  const bool alike = std::equal(thresholds.begin() + 1, thresholds.end(), thresholds.begin());
  if (alike) thresholds.resize(1);
  return thresholds;
}

// On the CPU sums of INT16 products are multiplied by a number of 16 bits for each channel, which
// is up to 2^-16 of it off: half a step, in the same direction for a whole channel and for each
// layer again. So the scales of filter and bias become those that give these numbers.
void RoundMultipliers(Graph& graph) {
  for (Node& node : graph.nodes) {
    const std::optional<FixedPointSums> sums = FixedPointSumsOf(graph, node);
    if (!sums || !sums->operands.wide || node.requantization) continue;
    std::vector<double> factors;
    for (const double real : sums->multipliers) {
      const Multiplier rounded = MakeMultiplier(real);
      factors.push_back(std::ldexp(WideValue(rounded), rounded.shift - 15) / real);
    }
    const int filter = sums->operands.filter;
    Rescale(graph, node, filter, factors, graph.tensors[node.inputs[filter]].affine()->axis);
    if (HasConstantBias(graph, node, sums->operands))
      Rescale(graph, node, sums->operands.bias, factors, 0);
  }
}

}  // namespace tern::gpu
