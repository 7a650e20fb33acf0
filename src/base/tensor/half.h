// SPDX-License-Identifier: Apache-2.0
// IEEE 754 half precision and bfloat16 as bit patterns, converted exactly: to the nearest, ties to
// even. The scalar and the bulk forms give the same bits, NaN payloads included.
#ifndef TERN_BASE_TENSOR_HALF_H_
#define TERN_BASE_TENSOR_HALF_H_

#include <bit>
#include <cstdint>
#include <span>

namespace tern {

// The float of the same value; a signalling NaN becomes quiet.
inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1Fu;
  uint32_t mantissa = half & 0x3FFu;
  if (exponent == 0x1F) {
    const uint32_t quiet = mantissa != 0 ? 0x400000u : 0u;
    return std::bit_cast<float>(sign | 0x7F800000u | (mantissa << 13) | quiet);
  }
  if (exponent != 0) {
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  }
  if (mantissa == 0) return std::bit_cast<float>(sign);
  const int shift = std::countl_zero(mantissa) - 21;  // brings the leading one to bit 10
  mantissa = (mantissa << shift) & 0x3FFu;
  return std::bit_cast<float>(sign | (static_cast<uint32_t>(113 - shift) << 23) | (mantissa << 13));
}

// The nearest half; values from 65520 on become infinity, NaN stays NaN (quiet).
inline uint16_t FloatToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {
    return static_cast<uint16_t>(sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu));
  }
  if (magnitude >= 0x477FF000u) return static_cast<uint16_t>(sign | 0x7C00u);
  if (magnitude >= 0x38800000u) {  // normal half: drop 13 bits, rounding to even
    const uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
    return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
  }
  if (magnitude < 0x33000000u) return sign;  // below half of the smallest subnormal
  const uint32_t exponent = magnitude >> 23;
  const uint32_t mantissa = (magnitude & 0x7FFFFFu) | 0x800000u;
  const uint32_t shift = 126 - exponent;
  const uint32_t low = mantissa & ((1u << shift) - 1);
  const uint32_t middle = 1u << (shift - 1);
  uint32_t result = mantissa >> shift;
  if (low > middle || (low == middle && (result & 1u) != 0)) ++result;
  return static_cast<uint16_t>(sign | result);
}

// Bulk forms; both spans have the same length and do not overlap.
void HalfToFloat(std::span<const uint16_t> from, std::span<float> to);
void FloatToHalf(std::span<const float> from, std::span<uint16_t> to);

inline float Bfloat16ToFloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

inline uint16_t FloatToBfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace tern

#endif  // TERN_BASE_TENSOR_HALF_H_
