// SPDX-License-Identifier: Apache-2.0
// The factor between scales in fixed point, and integers times it, as TensorFlow Lite rounds them.
#ifndef TERN_BASE_TENSOR_MULTIPLIER_H_
#define TERN_BASE_TENSOR_MULTIPLIER_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

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

// round(a * b / 2^31): ties go up.
inline int32_t MultiplyHigh(int32_t a, int32_t b) {
  if (a == b && a == std::numeric_limits<int32_t>::min())
    return std::numeric_limits<int32_t>::max();
  const int64_t product = int64_t{a} * b;
  const int64_t nudge = product >= 0 ? (int64_t{1} << 30) : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((product + nudge) / (int64_t{1} << 31));
}

// v / 2^exponent to the nearest integer, ties away from zero; 0 <= exponent <= 31.
inline int32_t RoundingShiftRight(int32_t v, int exponent) {
  const int64_t mask = (int64_t{1} << exponent) - 1;
  const int64_t rest = v & mask;
  const int64_t threshold = (mask >> 1) + (v < 0 ? 1 : 0);
  return static_cast<int32_t>((int64_t{v} >> exponent) + (rest > threshold ? 1 : 0));
}

// v * multiplier, rounded twice: after the product and after the shift to the right. A shift to the
// left wraps.
inline int32_t Scale(int32_t v, const Multiplier& multiplier) {
  const int left = multiplier.shift > 0 ? multiplier.shift : 0;
  const int right = multiplier.shift > 0 ? 0 : -multiplier.shift;
  const auto shifted = static_cast<int32_t>(static_cast<uint32_t>(v) << (left & 31));
  return RoundingShiftRight(MultiplyHigh(shifted, multiplier.value), right);
}

// The form for sums of 16-bit activations, whose multiplier has 16 bits and which rounds once: sums
// of at most kLargestWideSum, beyond which they saturate, and multipliers whose shift is
// at most kLargestWideShift.
inline constexpr int kLargestWideShift = 7;
inline constexpr int64_t kLargestWideSum = (int64_t{1} << 47) - 1;
inline int32_t ScaleWide(int64_t v, const Multiplier& multiplier) {
  v = std::clamp(v, -kLargestWideSum, kLargestWideSum);
  const int total = 15 - multiplier.shift;
  return static_cast<int32_t>((v * WideValue(multiplier) + (int64_t{1} << (total - 1))) >> total);
}

}  // namespace tern

#endif  // TERN_BASE_TENSOR_MULTIPLIER_H_
