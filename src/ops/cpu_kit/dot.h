// SPDX-License-Identifier: Apache-2.0
// Dot product in double precision, with eight independent sums so that compilers can use vector
// registers.
#ifndef TERN_OPS_CPU_KIT_DOT_H_
#define TERN_OPS_CPU_KIT_DOT_H_

#include <cstdint>

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

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_DOT_H_
