// SPDX-License-Identifier: Apache-2.0
// The CPU's fixed-point rounding of sums of products, as far as floats can follow it.
#ifndef TERN_GPU_LEGALIZE_FIXED_POINT_H_
#define TERN_GPU_LEGALIZE_FIXED_POINT_H_

#include <optional>
#include <vector>

#include "gpu/graph/graph.h"

namespace tern::gpu {

// A node's sums of integers times a multiplier, one or one for each channel, are its elements.
struct FixedPointSums {
  SummedProducts operands;
  std::vector<double> multipliers;
};

// Of a node between quantized tensors with a constant filter; the bias may be missing.
std::optional<FixedPointSums> FixedPointSumsOf(const Graph& graph, const Node& node);

// From how far above an integer results become the next one, for each multiplier: it is less than a
// half, because the CPU rounds products first to integers of a smaller unit.
std::vector<float> RoundingThresholds(const FixedPointSums& sums);

}  // namespace tern::gpu

#endif  // TERN_GPU_LEGALIZE_FIXED_POINT_H_
