// SPDX-License-Identifier: Apache-2.0
// Results are computed on the CPU, by what its own form of the operation computes them with.
#include "ops/gpu_kit/element_results_gpu.h"

#include <algorithm>
#include <cmath>

#include "ops/rules_kit/quantized_numbers.h"

namespace tern::gpu {
namespace {

float RealOf(const QuantizedType& q, int32_t element) {
  return q.scale * static_cast<float>(element - q.zero_point);
}

// Whether the results are the operand's numbers, none below the first or above the last.
bool IsClamp(const QuantizedType& from, const float* results) {
  const IntRange range = TypeRange(from.type);
  const float min = results[0], max = results[range.max - range.min];
  for (int32_t q = range.min; q <= range.max; ++q) {
    if (results[q - range.min] != std::min(std::max(RealOf(from, q), min), max)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<float>> ElementResults(const QuantizedType& from, const QuantizedType& to,
                                                 const std::function<int32_t(int32_t)>& function) {
  if (!std::isnormal(from.scale) || !std::isnormal(1 / from.scale)) return std::nullopt;
  const IntRange range = TypeRange(from.type);
  std::vector<float> results;
  for (int32_t q = range.min; q <= range.max; ++q) results.push_back(RealOf(to, function(q)));
  return results;
}

Epilogue ResultSteps(const Graph& graph, const Node& node) {
  const QuantizedType& from = *graph.tensors[node.inputs[0]].quantized;
  const auto* results = static_cast<const float*>(graph.tensors[node.results].data.get());
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
