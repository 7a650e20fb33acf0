// SPDX-License-Identifier: Apache-2.0
// One axis of a tensor with what lies outside and inside of it, for the CPU and the GPU form.
#ifndef TERN_OPS_ARG_MIN_MAX_ARG_MIN_MAX_RULES_H_
#define TERN_OPS_ARG_MIN_MAX_ARG_MIN_MAX_RULES_H_

#include "base/tensor/shape_math.h"

namespace tern {

struct SearchedAxis {
  size_t axis = 0;
  int64_t outer = 1, size = 1, inner = 1;
  Shape output;  // without the axis
};

inline StatusOr<SearchedAxis> SearchedAxisOf(const Shape& input, int64_t axis) {
  SearchedAxis result;
  TERN_ASSIGN_OR_RETURN(result.axis, AxisOf(axis, input.size()));
  result.size = input[result.axis];
  if (result.size == 0) return Invalid("the axis has no elements (", ShapeText(input), ")");
  for (size_t d = 0; d < input.size(); ++d) {
    if (d == result.axis) continue;
    (d < result.axis ? result.outer : result.inner) *= input[d];
    result.output.push_back(input[d]);
  }
  return result;
}

}  // namespace tern

#endif  // TERN_OPS_ARG_MIN_MAX_ARG_MIN_MAX_RULES_H_
