// SPDX-License-Identifier: Apache-2.0
// Functions of INT16 numbers by interpolation between 513 results, exact to the last bit against
// TensorFlow Lite's reference kernels.
#ifndef TERN_OPS_RULES_KIT_INT16_TABLE_H_
#define TERN_OPS_RULES_KIT_INT16_TABLE_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace tern {

// Results at both ends of 512 equal pieces of all inputs.
using Int16Table = std::array<int16_t, 513>;

// Scale and zero point as the numbers to compute with.
template <class Number>
struct Int16Scale {
  Number scale;
  int32_t zero_point;
  Number Real(int32_t v) const { return scale * static_cast<Number>(v - zero_point); }
};

// `function` maps real to real, in Number (float or double). Each result is moved by half of the
// error that interpolation would make in the middle of its piece.
template <class Number, class F>
Int16Table MakeInt16Table(const Int16Scale<Number>& in, const Int16Scale<Number>& out,
                          const F& function) {
  static constexpr Number kLow = INT16_MIN, kHigh = INT16_MAX;
  const Number first = in.Real(INT16_MIN), last = in.Real(INT16_MAX);
  const Number step = (last - first) / 512;
  const Number inverse = (kHigh - kLow + 1) / (out.Real(INT16_MAX) - out.Real(INT16_MIN));
  // NaN comes from differences of infinite values.
  const auto limited = [](Number v) {
    return static_cast<int16_t>(!(v < kHigh) ? kHigh : std::max(v, kLow));
  };
  Int16Table table{};
  for (int i = 0; i < 512; ++i) {
    const Number x = first + static_cast<Number>(i) * step;
    const Number next = first + static_cast<Number>(i + 1) * step;
    const Number here = std::round(function(x) * inverse);
    const Number between = std::round((function(next) * inverse + here) / 2);
    const Number middle = std::round(function(x + step / 2) * inverse);
    table[i] = limited(here - std::round((between - middle) / 2));
  }
  table[512] = limited(std::round(function(last) * inverse));
  return table;
}

inline int32_t Interpolate(const Int16Table& table, int32_t v) {
  const int32_t index = 256 + (v >> 7);
  const int32_t slope = table[index + 1] - table[index];
  return table[index] + ((slope * (v & 127) + 64) >> 7);
}

}  // namespace tern

#endif  // TERN_OPS_RULES_KIT_INT16_TABLE_H_
