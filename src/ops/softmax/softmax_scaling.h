// SPDX-License-Identifier: Apache-2.0
// How SOFTMAX and LOG_SOFTMAX of 8 bits bring differences to the row's maximum into fixed point.
#ifndef TERN_OPS_SOFTMAX_SOFTMAX_SCALING_H_
#define TERN_OPS_SOFTMAX_SOFTMAX_SCALING_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "ops/rules_kit/fixed_point.h"
#include "ops/rules_kit/quantized_numbers.h"

namespace tern {

inline constexpr int kDifferenceBits = 5;  // integer bits of a difference
inline constexpr int kSumBits = 12;        // and of a sum of exponentials

struct DifferenceScaling {
  Multiplier multiplier;
  int32_t min = 0;  // smaller differences count as minus infinity

  static DifferenceScaling Of(float scale, float beta) {
    const double real =
        std::min(double{beta} * double{scale} * (1 << (31 - kDifferenceBits)), 2147483647.0);
    DifferenceScaling result;
    result.multiplier = MakeMultiplier(real);
    const double radius = ((1 << kDifferenceBits) - 1) *
                          std::ldexp(1.0, 31 - kDifferenceBits - result.multiplier.shift);
    result.min = -static_cast<int32_t>(std::min(std::floor(radius), 2147483647.0));
    return result;
  }

  // From differences in fixed point to those of elements.
  Multiplier Back() const {
    if (multiplier.value == 0) return {};
    return MakeMultiplier(std::ldexp(1.0, 31 - multiplier.shift) / multiplier.value);
  }
  // With kDifferenceBits integer bits.
  int32_t Scaled(int32_t difference) const { return Scale(difference, multiplier); }
};

// exp(-difference) of every difference between two numbers of 8 bits, 0 where it counts as minus
// infinity.
struct ExpTable {
  std::array<int32_t, 256> values{};

  static ExpTable Of(const DifferenceScaling& scaling) {
    ExpTable table;
    for (int32_t d = 0; d < 256 && -d >= scaling.min; ++d) {
      table.values[static_cast<size_t>(d)] =
          fixed::ExpOfNegative<kDifferenceBits>(scaling.Scaled(-d));
    }
    return table;
  }
  // Of the difference in - max.
  template <class T>
  int32_t At(T in, T max) const {
    return values[static_cast<size_t>(int32_t{max} - int32_t{in})];
  }
};

// exp(in[i] - max) summed over a row, with kSumBits integer bits.
template <class T>
int32_t SumOfExponentials(const T* in, int64_t count, T max, const ExpTable& table) {
  uint32_t sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    sum += static_cast<uint32_t>(RoundingShiftRight(table.At(in[i], max), kSumBits));
  }
  return static_cast<int32_t>(sum);
}

}  // namespace tern

#endif  // TERN_OPS_SOFTMAX_SOFTMAX_SCALING_H_
