// SPDX-License-Identifier: Apache-2.0
// Results are computed on the CPU, by what its own form of the operation computes them with.
#include "ops/gpu_kit/element_results_gpu.h"

#include <algorithm>
#include <cmath>

#include "ops/rules_kit/quantized_numbers.h"

namespace tern::gpu {
namespace {

float RealOf(const Quantized& q, int32_t element) {
  return q.scale * static_cast<float>(element - q.zero_point);
}

// Whether the results are the operand's own numbers, none below the first and none above the last
// of them.
bool IsClamp(const Quantized& from, const float* results) {
  const IntRange range = TypeRange(from.type);
  const float least = results[0], most = results[range.max - range.min];
  for (int32_t q = range.min; q <= range.max; ++q) {
    if (results[q - range.min] != std::min(std::max(RealOf(from, q), least), most)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<float>> ElementResults(const Quantized& from, const Quantized& to,
                                                 const std::function<int32_t(int32_t)>& function) {
  if (!std::isnormal(from.scale) || !std::isnormal(1 / from.scale)) return std::nullopt;
  const IntRange range = TypeRange(from.type);
  std::vector<float> results;
  for (int32_t q = range.min; q <= range.max; ++q) results.push_back(RealOf(to, function(q)));
  return results;
}

ElementwiseChain ResultSteps(const Graph& graph, const Node& node) {
  const Quantized& from = *graph.tensors[node.inputs[0]].quantized;
  const auto* results = static_cast<const float*>(graph.tensors[node.results].data);
  const IntRange range = TypeRange(from.type);
  if (IsClamp(from, results)) {
    return {{.expression = kClampExpression, .a = results[0], .b = results[range.max - range.min]}};
  }
  return {{.expression = "lookup(round_even(v * splat(a)) + splat(b))",
           .a = 1 / from.scale,
           .b = static_cast<float>(from.zero_point - range.min),
           .operand = node.results,
           .lookup = true}};
}

}  // namespace tern::gpu
