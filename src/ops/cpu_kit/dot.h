// SPDX-License-Identifier: Apache-2.0
// Dot product in double precision, with eight independent sums so that compilers can use vector
// registers, and products of rows that are made of it where there is no optimized kernel.
#ifndef TERN_OPS_CPU_KIT_DOT_H_
#define TERN_OPS_CPU_KIT_DOT_H_

#include <cstdint>

#include "cpu/matmul.h"

namespace tern {

inline double Dot(const float* a, const float* b, int64_t count) {
  double sums[8] = {};
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int k = 0; k < 8; ++k) sums[k] += double{a[i + k]} * double{b[i + k]};
  }
  for (; i < count; ++i) sums[0] += double{a[i]} * double{b[i]};
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// The product of a MatrixShape with columns as they lie, or with what FloatProduct made of them: in
// double where it is not `fast` or has no optimized kernel.
void MultiplyRows(const FloatMatrix* packed, bool fast, const LeftView& left,
                  const FloatWeights& weights, const OutputStage& stage, ThreadPool* pool);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_DOT_H_
