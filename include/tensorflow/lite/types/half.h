// SPDX-License-Identifier: Apache-2.0
// Half precision as a value type: 16 bits in memory, a float in arithmetic.
#ifndef TERN_TENSORFLOW_LITE_TYPES_HALF_H_
#define TERN_TENSORFLOW_LITE_TYPES_HALF_H_

#include <cstdint>
#include <cstring>

namespace tflite {

// IEEE 754 binary16. Conversions from float round to the nearest value, ties to even; what is too
// large becomes infinity.
class half {
 public:
  half() = default;
  half(float value) : bits_(Round(value)) {}  // NOLINT: implicit by design
  explicit half(int value) : bits_(Round(static_cast<float>(value))) {}  // NOLINT
  operator float() const { return Widen(bits_); }                        // NOLINT

  static constexpr half from_bits(uint16_t bits) { return half(Bits{bits}); }
  constexpr uint16_t to_bits() const { return bits_; }
  constexpr bool is_zero() const { return (bits_ & 0x7FFFu) == 0; }

  static constexpr half epsilon() { return from_bits(0x1400); }  // 2^-10
  static constexpr half infinity() { return from_bits(0x7C00); }
  static constexpr half min() { return from_bits(0xFBFF); }              // -65504
  static constexpr half max() { return from_bits(0x7BFF); }              // 65504
  static constexpr half smallest_normal() { return from_bits(0x0400); }  // 2^-14
  static constexpr half min_identity() { return from_bits(0x7C00); }
  static constexpr half max_identity() { return from_bits(0xFC00); }
  static constexpr half sum_identity() { return from_bits(0); }

 private:
  struct Bits {
    uint16_t bits;
  };
  explicit constexpr half(Bits bits) : bits_(bits.bits) {}

  // A half's exponent and mantissa in the place of a float's are the value divided by 2^112, also
  // for subnormal halves, which makes the float's arithmetic do the work.
  static float Widen(uint16_t half_bits) {
    uint32_t bits = static_cast<uint32_t>(half_bits & 0x7FFFu) << 13;
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    value *= 5192296858534827628530496329220096.0f;  // 2^112
    std::memcpy(&bits, &value, sizeof(bits));
    if ((half_bits & 0x7C00u) == 0x7C00u) bits |= 0x7F800000u;  // infinity and NaN
    bits |= static_cast<uint32_t>(half_bits & 0x8000u) << 16;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }

  static uint16_t Round(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
    bits &= 0x7FFFFFFFu;
    if (bits > 0x7F800000u) return static_cast<uint16_t>(sign | 0x7E00u | ((bits >> 13) & 0x3FFu));
    if (bits >= 0x477FF000u) return static_cast<uint16_t>(sign | 0x7C00u);  // from 65520 on
    if (bits < 0x38800000u) {
      // Below 2^-14 the last bit of a half is 2^-24, the last bit of a float from 0.5 to 1: the sum
      // with 0.5 is rounded at the right place, and its mantissa is the half.
      float sum;
      std::memcpy(&sum, &bits, sizeof(sum));
      sum += 0.5f;
      std::memcpy(&bits, &sum, sizeof(bits));
      return static_cast<uint16_t>(sign | (bits - 0x3F000000u));
    }
    const uint32_t rounded = bits + 0xFFFu + ((bits >> 13) & 1u);
    return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
  }

  uint16_t bits_;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_TYPES_HALF_H_
