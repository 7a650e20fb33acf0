// SPDX-License-Identifier: Apache-2.0
// The factor between scales in fixed point, as TensorFlow Lite rounds it.
#ifndef TERN_BASE_TENSOR_MULTIPLIER_H_
#define TERN_BASE_TENSOR_MULTIPLIER_H_

#include <cmath>
#include <cstdint>

namespace tern {

// real = value * 2^(shift - 31), value in [2^30, 2^31), or both 0.
struct Multiplier {
  int32_t value = 0;
  int shift = 0;
};

// Nearest multiplier of a real number >= 0; one below 2^-32 becomes 0.
inline Multiplier MakeMultiplier(double real) {
  if (!(real > 0) || !std::isfinite(real)) return {};
  int shift = 0;
  auto value = static_cast<int64_t>(std::round(std::frexp(real, &shift) * 0x1p31));
  if (value == int64_t{1} << 31) {
    value /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  if (shift > 30) return {INT32_MAX, 30};
  return {static_cast<int32_t>(value), shift};
}

// The upper 16 bits of its value, rounded: the multiplier of sums of INT16 products, which has
// real = value * 2^(shift - 15).
inline int32_t WideValue(const Multiplier& multiplier) {
  return multiplier.value < 0x7FFF0000 ? (multiplier.value + (1 << 15)) >> 16 : 0x7FFF;
}

}  // namespace tern

#endif  // TERN_BASE_TENSOR_MULTIPLIER_H_
