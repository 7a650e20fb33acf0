// SPDX-License-Identifier: Apache-2.0
// The words of the C++ expressions in table.inc's two-operand rows. Integers wrap around unless a
// word says otherwise; nothing traps.
#ifndef TERN_OPS_ELEMENTWISE_ARITHMETIC_H_
#define TERN_OPS_ELEMENTWISE_ARITHMETIC_H_

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tern::elementwise {

// Narrow integers would be promoted to int, in which a product of two UINT16 numbers overflows.
template <class T>
using Wrapping = std::make_unsigned_t<std::common_type_t<T, int32_t>>;

template <class T>
T Plus(T v, T w) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(v) + static_cast<Wrapping<T>>(w));
  } else {
    return v + w;
  }
}

template <class T>
T Minus(T v, T w) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(v) - static_cast<Wrapping<T>>(w));
  } else {
    return v - w;
  }
}

template <class T>
T Times(T v, T w) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(v) * static_cast<Wrapping<T>>(w));
  } else {
    return v * w;
  }
}

// NaN where either is.
template <class T>
T Larger(T v, T w) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(v)) return v;
  }
  return v > w ? v : w;
}
template <class T>
T Smaller(T v, T w) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(v)) return v;
  }
  return v < w ? v : w;
}

// Integers: towards zero; the one quotient that does not fit wraps.
template <class T>
T Quotient(T v, T w) {
  if constexpr (std::is_integral_v<T>) {
    if (w == 0) return 0;
    if (w == -1) return Minus(T{0}, v);
  }
  return v / w;
}

// Integers: the one quotient that does not fit wraps.
template <class T>
T FloorQuotient(T v, T w) {
  if constexpr (std::is_integral_v<T>) {
    if (w == 0) return 0;
    const int64_t quotient = int64_t{v} / w;
    return static_cast<T>(v % int64_t{w} != 0 && (v < 0) != (w < 0) ? quotient - 1 : quotient);
  } else {
    return static_cast<T>(std::floor(static_cast<double>(v) / static_cast<double>(w)));
  }
}

// Returns the remainder of the floored quotient of v and w. It has the sign of w.
template <class T>
T FloorRemainder(T v, T w) {
  T rest;
  if constexpr (std::is_integral_v<T>) {
    if (w == 0 || w == -1) return 0;
    rest = static_cast<T>(v % w);
  } else {
    rest = std::fmod(v, w);
  }
  return rest != 0 && (rest < 0) != (w < 0) ? static_cast<T>(rest + w) : rest;
}

// Integers: for exponents >= 0; what does not fit becomes the smallest number.
template <class T>
T Power(T v, T w) {
  if constexpr (std::is_integral_v<T>) {
    const double power = std::pow(static_cast<double>(v), static_cast<double>(w));
    return std::fabs(power) < 0x1p31 ? static_cast<T>(power) : std::numeric_limits<T>::min();
  } else {
    return std::pow(v, w);
  }
}

template <class T>
T Squared(T v) {
  return Times(v, v);
}

}  // namespace tern::elementwise

#endif  // TERN_OPS_ELEMENTWISE_ARITHMETIC_H_
