// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic of quantized ops for both forms: real = scale * (quantized - zero_point).
// Everything here is exact to the last bit against the reference's plain kernels.
#ifndef TERN_OPS_RULES_KIT_QUANTIZED_NUMBERS_H_
#define TERN_OPS_RULES_KIT_QUANTIZED_NUMBERS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/tensor/multiplier.h"
#include "base/tensor/quantized_range.h"
#include "tensorflow/lite/core/c/c_api_types.h"

namespace tern {

inline bool IsQuantizedType(TfLiteType type) {
  return type == kTfLiteInt8 || type == kTfLiteUInt8 || type == kTfLiteInt16;
}

// ---- fixed point

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

// ---- numbers

// The nearest quantized number, ties away from zero, inside the range.
inline int32_t Quantize(float v, const Quantization& q, const IntRange& range) {
  const float scaled = std::round(v / q.scale) + static_cast<float>(q.zero_point);
  if (!(scaled > static_cast<float>(range.min))) return range.min;  // NaN, too
  if (scaled >= static_cast<float>(range.max)) return range.max;
  return static_cast<int32_t>(scaled);
}

inline float Dequantize(int32_t v, const Quantization& q) {
  return static_cast<float>(static_cast<double>(q.scale) * (v - q.zero_point));
}

// A function of one 8-bit number as a table, indexed by the number's bits.
using ByteTable = std::array<uint8_t, 256>;

// `function` maps real to real. It is evaluated in float, and the result is multiplied by the
// inverse of the output's scale. `type` (INT8 or UINT8) is that of both sides.
template <class F>
ByteTable MakeByteTable(TfLiteType type, const Quantization& in, const Quantization& out,
                        const F& function) {
  const IntRange range = TypeRange(type);
  const float inverse = 1.0f / out.scale;
  ByteTable table{};
  for (int32_t q = range.min; q <= range.max; ++q) {
    const float real = in.scale * static_cast<float>(q - in.zero_point);
    const float scaled = std::round(function(real) * inverse) + static_cast<float>(out.zero_point);
    int32_t result = range.max;
    if (!(scaled > static_cast<float>(range.min))) {
      result = range.min;
    } else if (scaled < static_cast<float>(range.max)) {
      result = static_cast<int32_t>(scaled);
    }
    table[static_cast<uint8_t>(q)] = static_cast<uint8_t>(result);
  }
  return table;
}

}  // namespace tern

#endif  // TERN_OPS_RULES_KIT_QUANTIZED_NUMBERS_H_
