// SPDX-License-Identifier: Apache-2.0
// The operands of SVDF and their sizes, for the CPU and the GPU form.
#ifndef TERN_OPS_SVDF_SVDF_RULES_H_
#define TERN_OPS_SVDF_SVDF_RULES_H_

#include "base/status.h"
#include "base/tensor/shape_math.h"

namespace tern::svdf {

enum Input { kInput, kFeature, kTime, kBias, kState, kInputs };

struct Sizes {
  int64_t batch = 0, inputs = 0, filters = 0, memory = 0, rank = 0, units = 0;
};

// Of input [batch, inputs], feature weights [filters, inputs] and time weights [filters, memory].
inline StatusOr<Sizes> SizesOf(const Shape& input, const Shape& feature, const Shape& time,
                               int64_t rank) {
  if (input.size() != 2 || feature.size() != 2 || time.size() != 2) {
    return Invalid("input and weights must have rank 2 (", input.size(), ", ", feature.size(), ", ",
                   time.size(), ")");
  }
  const Sizes s{input[0], input[1], feature[0], time[1], rank, rank < 1 ? 0 : feature[0] / rank};
  if (rank < 1 || s.filters % rank != 0) {
    return Invalid("the rank does not divide the filters (", rank, ", ", s.filters, ")");
  }
  if (s.memory < 1) return Invalid("the time weights are empty");
  if (feature[1] != s.inputs || time[0] != s.filters) {
    return Invalid("the weights do not fit the input and each other (", ShapeText(feature), ", ",
                   ShapeText(time), ", input ", ShapeText(input), ")");
  }
  return s;
}

}  // namespace tern::svdf

#endif  // TERN_OPS_SVDF_SVDF_RULES_H_
