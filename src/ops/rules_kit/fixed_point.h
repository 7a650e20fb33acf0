// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithm, reciprocal, tanh and inverse square root in integers alone, exact to the
// last bit against TensorFlow Lite's reference kernels. A number of T (16 or 32 bits) with I
// integer bits stands for raw / 2^(bits of T - 1 - I); «Q0» has none and lies in [-1, 1).
#ifndef TERN_OPS_RULES_KIT_FIXED_POINT_H_
#define TERN_OPS_RULES_KIT_FIXED_POINT_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "ops/rules_kit/quantized_numbers.h"

namespace tern::fixed {

template <class T>
using Wide = std::conditional_t<sizeof(T) == 2, int32_t, int64_t>;

template <class T>
inline constexpr int kBits = static_cast<int>(sizeof(T)) * 8 - 1;  // without the sign

template <class T>
inline constexpr T kMax = std::numeric_limits<T>::max();

template <class T>
T Saturate(int64_t v) {
  const int64_t low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(v < low ? low : (v > high ? high : v));
}

// v + zero_point inside the range, without overflow.
inline int32_t Place(int32_t v, int32_t zero_point, const IntRange& range) {
  const int64_t sum = int64_t{v} + zero_point;
  return static_cast<int32_t>(std::min<int64_t>(std::max<int64_t>(sum, range.min), range.max));
}

// a * b of Q0 numbers; the integer bits of the operands add up.
template <class T>
T Product(T a, T b) {
  if (a == b && a == std::numeric_limits<T>::min()) return kMax<T>;
  constexpr int kShift = kBits<T>;
  const Wide<T> product = Wide<T>{a} * b;
  const Wide<T> nudge =
      product >= 0 ? Wide<T>{1} << (kShift - 1) : 1 - (Wide<T>{1} << (kShift - 1));
  return static_cast<T>((product + nudge) / (Wide<T>{1} << kShift));
}

// v * 2^exponent: saturated to the left, rounded (ties away from zero) to the right.
template <class T>
T TimesPowerOf2(T v, int exponent) {
  if (exponent >= 0) {
    if (v == 0) return 0;
    if (exponent > kBits<T>) return v > 0 ? kMax<T> : std::numeric_limits<T>::min();
    return Saturate<T>(int64_t{v} * (int64_t{1} << exponent));
  }
  const int right = -exponent > 31 ? 31 : -exponent;
  return static_cast<T>(RoundingShiftRight(v, right));
}

// (a + b) / 2, ties away from zero.
template <class T>
T HalfSum(T a, T b) {
  const Wide<T> sum = Wide<T>{a} + b;
  return static_cast<T>((sum + (sum >= 0 ? 1 : -1)) / 2);
}

// A constant given in 31 fractional bits, or fewer by its integer bits.
template <class T>
constexpr T Constant(int32_t raw) {
  if constexpr (sizeof(T) == 4) return raw;
  return static_cast<T>((int64_t{raw} + 0x8000) >> 16 > INT16_MAX ? INT16_MAX
                                                                  : (int64_t{raw} + 0x8000) >> 16);
}

template <class T>
T Add(T a, T b) {  // wraps
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
}
template <class T>
T Subtract(T a, T b) {  // wraps
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
}

// exp(a) for a Q0 number in [-1/4, 0), by four terms around -1/8.
template <class T>
T ExpBelowQuarter(T a) {
  const T center = Constant<T>(1895147668);  // exp(-1/8)
  const T third = Constant<T>(715827883);
  const T x = Add<T>(a, static_cast<T>(T{1} << (kBits<T> - 3)));
  const T x2 = Product(x, x), x3 = Product(x2, x), x4 = Product(x2, x2);
  const T x4_quarter = TimesPowerOf2(x4, -2);
  const T rest = TimesPowerOf2(Add<T>(Product(Add<T>(x4_quarter, x3), third), x2), -1);
  const T step = Product(center, Add<T>(x, rest));
  return sizeof(T) == 2 ? Saturate<T>(Wide<T>{center} + step) : Add<T>(center, step);
}

// exp(a) as Q0 for a <= 0 with I integer bits.
template <int I, class T>
T ExpOfNegative(T a) {
  constexpr int kFraction = kBits<T> - I;
  constexpr T kQuarter = static_cast<T>(T{1} << (kFraction - 2));
  const T rest = static_cast<T>((a & (kQuarter - 1)) - kQuarter);
  T result = ExpBelowQuarter(TimesPowerOf2(rest, I));
  const T quarters = Subtract<T>(rest, a);
  constexpr int32_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308,
                                  39332535,   720401,     242};  // exp(-2^-2), ... exp(-2^4)
  for (int exponent = -2; exponent <= 4; ++exponent) {
    if (I <= exponent || kFraction + exponent >= kBits<T>) break;
    if ((quarters & static_cast<T>(T{1} << (kFraction + exponent))) != 0) {
      result = Product(result, Constant<T>(kFactors[exponent + 2]));
    }
  }
  if constexpr (I > 5) {
    if (a < -(Wide<T>{1} << (kFraction + 5))) result = 0;
  }
  return a == 0 ? kMax<T> : result;
}

// 1 / (1 + a) with two integer bits more than twice the result: three steps of Newton's method.
template <class T>
T ReciprocalSteps(T half_denominator) {
  const T a = Constant<T>(1515870810), b = Constant<T>(-1010580540);  // 48/17, -32/17 in Q2
  T x = Add<T>(a, Product(half_denominator, b));
  for (int i = 0; i < 3; ++i) {
    const T one = static_cast<T>(T{1} << (kBits<T> - 2));
    const T error = Subtract<T>(one, Product(half_denominator, x));
    x = Add<T>(x, TimesPowerOf2(Product(x, error), 2));
  }
  return x;
}

// 1 / (1 + a) for a Q0 number >= 0.
template <class T>
T OneOverOnePlus(T a) {
  return TimesPowerOf2(ReciprocalSteps(HalfSum(a, kMax<T>)), 1);
}

// (1 - a) / (1 + a) for a Q0 number >= 0.
template <class T>
T OneMinusOverOnePlus(T a) {
  const T x = ReciprocalSteps(HalfSum(a, kMax<T>));
  return TimesPowerOf2(Subtract<T>(x, static_cast<T>(T{1} << (kBits<T> - 2))), 2);
}

// 1 / (1 + exp(-a)) as Q0 for a with I integer bits.
template <int I, class T>
T Logistic(T a) {
  if (a == 0) return static_cast<T>(T{1} << (kBits<T> - 1));
  const T negative = a < 0 ? a : static_cast<T>(-a);
  const T result = OneOverOnePlus(ExpOfNegative<I>(negative));
  return a > 0 ? result : Subtract<T>(kMax<T>, result);
}

// tanh(a) as Q0 for a with I integer bits.
template <int I, class T>
T Tanh(T a) {
  if (a == 0) return 0;
  const T negative = a < 0 ? a : static_cast<T>(-a);
  // The bits of a number, read with one integer bit more, are twice the number.
  const T result = OneMinusOverOnePlus(ExpOfNegative<I + 1>(negative));
  return a > 0 ? result : static_cast<T>(-result);
}

// Takes the integer bits at run time, at most kMaxIntegerBits.
inline constexpr int kMaxIntegerBits = 10;

template <int I = 0>
int16_t Logistic(int16_t a, int integer_bits) {
  if constexpr (I < kMaxIntegerBits) {
    if (integer_bits > I) return Logistic<I + 1>(a, integer_bits);
  }
  return Logistic<I>(a);
}

template <int I = 0>
int16_t Tanh(int16_t a, int integer_bits) {
  if constexpr (I < kMaxIntegerBits) {
    if (integer_bits > I) return Tanh<I + 1>(a, integer_bits);
  }
  return Tanh<I>(a);
}

// log(v) with O integer bits for v >= 1 with I integer bits.
template <int O, int I>
int32_t LogFromOne(int32_t v) {
  constexpr int kAccumulator = O + 1;
  constexpr int32_t kLog2 = 1488522236, kRootHalf = 1518500250, kFourthRootHalf = 1805811301;
  constexpr int32_t kAlphaN = 117049297, kAlphaD = 127690142, kAlphaI = 1057819769,
                    kAlphaF = 638450708;
  const int32_t quarter = TimesPowerOf2(int32_t{536870912}, -kAccumulator);
  const auto power = [&](int bits) { return TimesPowerOf2(bits, 31 - kAccumulator); };
  // The mantissa r in [1/2, 1) of v or of v sqrt(1/2), whichever is nearer to sqrt(sqrt(1/2)).
  const int zeros_a = std::countl_zero(static_cast<uint32_t>(v));
  const int32_t r_a = TimesPowerOf2(Product(TimesPowerOf2(v, zeros_a - 1), kRootHalf), 1);
  const int32_t power_a = Saturate<int32_t>(int64_t{power(I - zeros_a)} + quarter);
  const int zeros_b = std::countl_zero(static_cast<uint32_t>(Product(v, kRootHalf))) - 1;
  const int32_t r_b = TimesPowerOf2(v, zeros_b);
  const int32_t power_b = Saturate<int32_t>(int64_t{power(I - zeros_b)} - quarter);
  const int32_t r = r_a < r_b ? r_a : r_b;
  const int32_t adjusted = power_a > power_b ? power_a : power_b;
  const int32_t p = HalfSum(r, kFourthRootHalf);
  int32_t q = Subtract(r, kFourthRootHalf);
  q = Add(q, q);
  const int32_t square = Product(q, q);
  const int32_t numerator = Add(Product(q, r), Product(Product(q, square), kAlphaN));
  const int32_t denominator =
      Add(Product(p, Add(Add(kAlphaI, q), Product(kAlphaD, square))), Product(kAlphaF, q));
  const int32_t ratio =
      Product(TimesPowerOf2(numerator, -kAccumulator), OneOverOnePlus(denominator));
  return TimesPowerOf2(Add(Product(adjusted, kLog2), ratio), kAccumulator - O);
}

// 1 / sqrt(v) for v > 0.
inline Multiplier InverseSqrt(int32_t v) {
  if (v <= 1) return {std::numeric_limits<int32_t>::max(), 0};
  int shift = 11;
  while (v >= 1 << 29) {
    v /= 4;
    ++shift;
  }
  const int pairs = (std::countl_zero(static_cast<uint32_t>(v)) - 1) / 2 - 1;
  shift -= pairs;
  v <<= 2 * pairs;
  // Newton's method on numbers with three integer bits.
  const int32_t half = RoundingShiftRight(v >> 1, 1);
  const int32_t one_and_half = (1 << 28) + (1 << 27);
  int32_t x = 1 << 28;
  for (int i = 0; i < 5; ++i) {
    const int32_t cube = TimesPowerOf2(Product(Product(x, x), x), 6);
    x = TimesPowerOf2(Subtract(Product(one_and_half, x), Product(half, cube)), 3);
  }
  x = Product(x, 1518500250);
  if (shift < 0) return {static_cast<int32_t>(static_cast<uint32_t>(x) << -shift), 0};
  return {x, -shift};
}

}  // namespace tern::fixed

#endif  // TERN_OPS_RULES_KIT_FIXED_POINT_H_
