// SPDX-License-Identifier: Apache-2.0
// Sizes of BATCH_MATMUL: which matrices meet, for the CPU and the GPU form.
#ifndef TERN_OPS_BATCH_MATMUL_BATCH_MATMUL_RULES_H_
#define TERN_OPS_BATCH_MATMUL_BATCH_MATMUL_RULES_H_

#include <algorithm>

#include "base/tensor/shape_math.h"

namespace tern {

struct MatmulShapes {
  int64_t rows = 0, depth = 0, columns = 0;
  // Axes before the last two: of the result, and by how many matrices each operand steps along them
  // (0 where it is repeated).
  Shape batch, left_steps, right_steps;
  Shape output;

  int64_t Matrices() const {
    int64_t count = 1;
    for (const int64_t size : batch) count *= size;
    return count;
  }
};

// How many matrices lie before the operand's matrix that belongs to `at` of the result's.
inline int64_t MatrixAt(const Shape& batch, const Shape& steps, int64_t at) {
  int64_t matrix = 0;
  for (size_t d = batch.size(); d-- > 0; at /= batch[d]) matrix += at % batch[d] * steps[d];
  return matrix;
}

inline StatusOr<MatmulShapes> MatmulShapesOf(const Shape& left, const Shape& right,
                                             bool transpose_left, bool transpose_right) {
  for (const Shape* shape : {&left, &right}) {
    if (shape->size() < 2 || shape->size() > 5) {
      return Invalid("operands must have rank 2 to 5 (", ShapeText(*shape), ")");
    }
  }
  const auto last = [](const Shape& shape, size_t from_end) {
    return shape[shape.size() - from_end];
  };
  MatmulShapes shapes;
  shapes.rows = last(left, transpose_left ? 1 : 2);
  shapes.depth = last(left, transpose_left ? 2 : 1);
  shapes.columns = last(right, transpose_right ? 2 : 1);
  const int64_t depth = last(right, transpose_right ? 1 : 2);
  if (depth != shapes.depth) {
    return Invalid("the sizes that are summed differ (", shapes.depth, ", ", depth, ")");
  }
  const size_t rank = std::max(left.size(), right.size());
  shapes.batch.assign(rank - 2, 1);
  shapes.left_steps = shapes.right_steps = shapes.batch;
  int64_t left_step = 1, right_step = 1;
  for (size_t i = 3; i <= rank; ++i) {
    const int64_t a = i <= left.size() ? last(left, i) : 1;
    const int64_t b = i <= right.size() ? last(right, i) : 1;
    if (a != b && a != 1 && b != 1) {
      return Invalid("batches do not broadcast (", ShapeText(left), ", ", ShapeText(right), ")");
    }
    const size_t d = rank - i;
    shapes.batch[d] = a == 1 ? b : a;
    shapes.left_steps[d] = a == 1 ? 0 : left_step;
    shapes.right_steps[d] = b == 1 ? 0 : right_step;
    left_step *= a;
    right_step *= b;
  }
  shapes.output = shapes.batch;
  shapes.output.push_back(shapes.rows);
  shapes.output.push_back(shapes.columns);
  return shapes;
}

}  // namespace tern

#endif  // TERN_OPS_BATCH_MATMUL_BATCH_MATMUL_RULES_H_
