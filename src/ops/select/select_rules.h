// SPDX-License-Identifier: Apache-2.0
// The shapes of SELECT and SELECT_V2, for the CPU and the GPU form.
#ifndef TERN_OPS_SELECT_SELECT_RULES_H_
#define TERN_OPS_SELECT_SELECT_RULES_H_

#include <algorithm>

#include "base/tensor/shape_math.h"
#include "ops/rules_kit/broadcast.h"

namespace tern {

struct SelectShapes {
  Shape condition;  // as it broadcasts to the result
  Shape result;
};

// SELECT: the branches have one shape; the condition has it, too, or is one value, or chooses
// whole rows. SELECT_V2: all three are broadcast.
inline StatusOr<SelectShapes> ShapesOfSelect(const Shape& condition, const Shape& x, const Shape& y,
                                             bool broadcasts) {
  if (broadcasts) {
    TERN_ASSIGN_OR_RETURN(const Shape branches, BroadcastShape(x, y));
    TERN_ASSIGN_OR_RETURN(const Shape result, BroadcastShape(condition, branches));
    return SelectShapes{condition, result};
  }
  if (x != y) {
    return Invalid("both branches must have one shape (", ShapeText(x), ", ", ShapeText(y), ")");
  }
  if (condition == x || condition.empty()) return SelectShapes{condition, x};
  if (condition.size() != 1 || x.empty() || condition[0] != x[0]) {
    return Invalid("the condition must be one value, one per row, or one per element (",
                   ShapeText(condition), ", branches ", ShapeText(x), ")");
  }
  Shape rows(x.size(), 1);
  rows[0] = x[0];
  return SelectShapes{rows, x};
}

}  // namespace tern

#endif  // TERN_OPS_SELECT_SELECT_RULES_H_
