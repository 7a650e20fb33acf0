// SPDX-License-Identifier: Apache-2.0
// The multiplier of sums of INT16 products, which TensorFlow Lite keeps in 16 bits.
#ifndef TERN_BASE_WIDE_MULTIPLIER_H_
#define TERN_BASE_WIDE_MULTIPLIER_H_

#include <algorithm>
#include <cmath>

namespace tern {

// What is left of a positive number with 15 digits behind the point of its mantissa in [0.5, 1),
// rounded from 31 of them.
inline double WideMultiplier(double real) {
  int exponent = 0;
  const double digits = std::round(std::frexp(real, &exponent) * 0x1p31);
  const double kept = std::min(std::floor((digits + 0x1p15) * 0x1p-16), 32767.0);
  return std::ldexp(kept, exponent - 15);
}

}  // namespace tern

#endif  // TERN_BASE_WIDE_MULTIPLIER_H_
