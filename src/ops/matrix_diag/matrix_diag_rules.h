// SPDX-License-Identifier: Apache-2.0
// Shapes of matrices and of their diagonals, for the CPU and the GPU form.
#ifndef TERN_OPS_MATRIX_DIAG_MATRIX_DIAG_RULES_H_
#define TERN_OPS_MATRIX_DIAG_MATRIX_DIAG_RULES_H_

#include <algorithm>

#include "base/tensor/shape_math.h"

namespace tern {

// The matrices that have vectors of the shape `vectors` on their diagonals.
inline StatusOr<Shape> DiagonalMatrices(Shape vectors) {
  if (vectors.empty()) return Invalid("the input must have a rank (0)");
  vectors.push_back(vectors.back());
  return vectors;
}

inline Status CheckDiagonal(const Shape& matrices, const Shape& diagonal) {
  if (matrices.size() < 2) {
    return Invalid("the input must be matrices (rank ", matrices.size(), ")");
  }
  Shape want(matrices.begin(), matrices.end() - 1);
  want.back() = std::min(want.back(), matrices.back());
  if (diagonal == want) return OkStatus();
  return Invalid("the diagonal has the wrong shape (", ShapeText(diagonal), ", expected ",
                 ShapeText(want), ")");
}

}  // namespace tern

#endif  // TERN_OPS_MATRIX_DIAG_MATRIX_DIAG_RULES_H_
