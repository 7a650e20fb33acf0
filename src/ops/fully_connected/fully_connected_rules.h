// SPDX-License-Identifier: Apache-2.0
// Sizes of a FULLY_CONNECTED, for the CPU and the GPU form.
#ifndef TERN_OPS_FULLY_CONNECTED_FULLY_CONNECTED_RULES_H_
#define TERN_OPS_FULLY_CONNECTED_FULLY_CONNECTED_RULES_H_

#include "base/tensor/shape_math.h"

namespace tern {

struct FullyConnectedShapes {
  int64_t rows = 0, depth = 0, units = 0;
  Shape output;
};

inline StatusOr<FullyConnectedShapes> FullyConnectedShapesOf(const Shape& input,
                                                             const Shape& weights, bool keep_dims) {
  if (weights.size() != 2) return Invalid("weights must have rank 2 (", ShapeText(weights), ")");
  if (input.empty()) return Invalid("input must have an axis (shape [])");
  TERN_ASSIGN_OR_RETURN(const int64_t elements, CheckedElements(input));
  FullyConnectedShapes shapes;
  shapes.depth = weights[1];
  shapes.units = weights[0];
  if ((keep_dims || shapes.depth == 0) && input.back() != shapes.depth) {
    return Invalid("the input's last size differs from the weights' depth (", input.back(), ", ",
                   shapes.depth, ")");
  }
  if (shapes.depth == 0) {
    TERN_ASSIGN_OR_RETURN(shapes.rows, CheckedElements(Shape(input.begin(), input.end() - 1)));
  } else if (elements % shapes.depth != 0) {
    return Invalid("the input is no whole number of rows (", elements, " elements, depth ",
                   shapes.depth, ")");
  } else {
    shapes.rows = elements / shapes.depth;
  }
  if (keep_dims) {
    shapes.output = input;
    shapes.output.back() = shapes.units;
  } else {
    shapes.output = {shapes.rows, shapes.units};
  }
  return shapes;
}

}  // namespace tern

#endif  // TERN_OPS_FULLY_CONNECTED_FULLY_CONNECTED_RULES_H_
