// SPDX-License-Identifier: Apache-2.0
// The reductions, which axes they take and what shape they leave, for the CPU and the GPU form.
#ifndef TERN_OPS_REDUCE_REDUCE_RULES_H_
#define TERN_OPS_REDUCE_REDUCE_RULES_H_

#include <cstdint>
#include <vector>

#include "base/tensor/shape_math.h"

namespace tern {

enum class Reduction { kMean, kSum, kMax, kMin, kProduct, kAny, kAll };

struct ReducedAxes {
  std::vector<bool> reduced;  // by axis
  int64_t count = 1;          // elements that make one of the output
  Shape output;
};

// Axes may be negative or named twice; a scalar has none, whatever they say.
inline StatusOr<ReducedAxes> ReducedAxesOf(const Shape& input, const Shape& axes, bool keep_dims) {
  ReducedAxes result;
  result.reduced.assign(input.size(), false);
  for (size_t i = 0; i < axes.size() && !input.empty(); ++i) {
    TERN_ASSIGN_OR_RETURN(const size_t axis, AxisOf(axes[i], input.size()));
    result.reduced[axis] = true;
  }
  for (size_t d = 0; d < input.size(); ++d) {
    if (result.reduced[d]) result.count *= input[d];
    if (keep_dims || !result.reduced[d]) result.output.push_back(result.reduced[d] ? 1 : input[d]);
  }
  return result;
}

}  // namespace tern

#endif  // TERN_OPS_REDUCE_REDUCE_RULES_H_
