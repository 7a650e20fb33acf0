// SPDX-License-Identifier: Apache-2.0
// Operations on one quantized operand by the results of all its elements.
#ifndef TERN_OPS_GPU_KIT_ELEMENT_RESULTS_GPU_H_
#define TERN_OPS_GPU_KIT_ELEMENT_RESULTS_GPU_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/graph/graph.h"

namespace tern::gpu {

inline bool IsByte(const std::optional<QuantizedType>& q) {
  return q && (q->type == kTfLiteInt8 || q->type == kTfLiteUInt8);
}

// The numbers that the results of a function from element to element stand for, as of Tabled;
// nothing where devices could not tell elements apart.
std::optional<std::vector<float>> ElementResults(const QuantizedType& from, const QuantizedType& to,
                                                 const std::function<int32_t(int32_t)>& function);

// The rule of a node with these numbers; the other one where there are none.
inline ElementRule TabledOr(ElementRule other, std::optional<std::vector<float>> numbers) {
  if (!numbers) return other;
  return Tabled{*std::move(numbers)};
}

// The steps from input 0 of a node that has Node::results.
Epilogue ResultSteps(const Graph& graph, const Node& node);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_ELEMENT_RESULTS_GPU_H_
