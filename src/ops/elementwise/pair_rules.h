// SPDX-License-Identifier: Apache-2.0
// The multipliers of arithmetic on two quantized operands, for the CPU and the GPU.
#ifndef TERN_OPS_ELEMENTWISE_PAIR_RULES_H_
#define TERN_OPS_ELEMENTWISE_PAIR_RULES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/tensor/multiplier.h"
#include "base/tensor/quantized_range.h"

namespace tern::elementwise {

// Sums, differences and squares of differences: both operands are brought to twice the larger of
// their scales, with guard bits, and what is made of them to the output's.
struct CommonScales {
  int guard_bits = 0;
  Multiplier a, b, out;
  double ratio = 0;  // that of `out`
};

inline CommonScales ScaleToCommon(const Quantization& a, const Quantization& b, int guard_bits) {
  const double twice = 2.0 * static_cast<double>(std::max(a.scale, b.scale));
  CommonScales scales{guard_bits, {}, {}, {}, twice};
  scales.a = MakeMultiplier(static_cast<double>(a.scale) / twice);
  scales.b = MakeMultiplier(static_cast<double>(b.scale) / twice);
  return scales;
}

// `wide`: of INT16.
inline CommonScales SumScales(const Quantization& a, const Quantization& b, const Quantization& out,
                              bool wide) {
  CommonScales scales = ScaleToCommon(a, b, wide ? 15 : 20);
  const double unit = std::ldexp(1.0, scales.guard_bits);
  scales.ratio = scales.ratio / (unit * static_cast<double>(out.scale));
  scales.out = MakeMultiplier(scales.ratio);
  return scales;
}

// Of squared differences.
inline CommonScales SquareScales(const Quantization& a, const Quantization& b,
                                 const Quantization& out) {
  CommonScales scales = ScaleToCommon(a, b, 7);
  scales.ratio = scales.ratio * scales.ratio / (16384.0 * static_cast<double>(out.scale));
  scales.out = MakeMultiplier(scales.ratio);
  return scales;
}

inline Multiplier ProductScale(const Quantization& a, const Quantization& b,
                               const Quantization& out) {
  return MakeMultiplier(static_cast<double>(a.scale * b.scale / out.scale));
}

inline Multiplier QuotientScale(const Quantization& a, const Quantization& b,
                                const Quantization& out) {
  return MakeMultiplier(static_cast<double>(a.scale / (b.scale * out.scale)));
}

// INT16 operands whose scales are powers of two are shifted to the right instead.
struct SumShifts {
  int a = 0, b = 0;
};

// The exponent of a scale that is nearly a power of two.
inline std::optional<int> PowerOfTwo(float scale) {
  const double exact = std::log2(static_cast<double>(scale));
  const int exponent = RoundToInt32(exact);
  return std::fabs(exact - exponent) < 1e-3 ? std::optional(exponent) : std::nullopt;
}

inline std::optional<SumShifts> ShiftsOfSum(const Quantization& a, const Quantization& b,
                                            const Quantization& out) {
  const std::optional<int> from_a = PowerOfTwo(a.scale), from_b = PowerOfTwo(b.scale),
                           to = PowerOfTwo(out.scale);
  if (!from_a || !from_b || !to) return std::nullopt;
  return SumShifts{*to - *from_a, *to - *from_b};
}

}  // namespace tern::elementwise

#endif  // TERN_OPS_ELEMENTWISE_PAIR_RULES_H_
