// SPDX-License-Identifier: Apache-2.0
// Products of float rows, by optimized kernels or one dot product after the other.
#include "ops/cpu_kit/dot.h"

namespace tern {

void MultiplyRows(const FloatMatrix* packed, bool fast, const LeftView& left,
                  const FloatWeights& weights, const OutputStage& stage, ThreadPool* pool) {
  if (fast && FloatProduct::RunMatrix(packed, left, weights, stage, pool)) return;
  const int64_t rows = left.shape.OutPixels(), depth = left.shape.Depth();
  const float* from = static_cast<const float*>(left.data);
  float* to = static_cast<float*>(stage.output);
  // The numbers of a column stay near for all rows.
  ParallelFor(pool, stage.columns, rows * depth, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      const double bias = weights.bias == nullptr ? 0 : weights.bias[n];
      for (int64_t r = 0; r < rows; ++r) {
        const double sum = Dot(from + r * depth, weights.filter + n * depth, depth);
        to[r * stage.columns + n] = stage.float_range.Clamp(static_cast<float>(sum + bias));
      }
    }
  });
}

}  // namespace tern
