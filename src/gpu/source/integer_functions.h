// SPDX-License-Identifier: Apache-2.0
// Texts of words on integers in the CPU's fixed point, for functions.cc. «Q0» are numbers in [-1,
// 1) with 31 bits behind the point; ops/rules_kit/fixed_point.h is the same in C++.
#ifndef TERN_GPU_SOURCE_INTEGER_FUNCTIONS_H_
#define TERN_GPU_SOURCE_INTEGER_FUNCTIONS_H_

namespace tern::gpu {

// v * w / 2^31 to the nearest integer, ties up.
inline constexpr char kMultiplyHigh[] = R"(islice multiply_high(islice v, islice w) {
  islice low = v * w;
  islice high = signed_high_product(v, w);
  // The product and half of its bit 31: what the lower half adds to twice the upper one.
  islice carried = select_lt(low, isplat(-1073741824), isplat(1), isplat(2));
  islice more = select_lt(low, isplat(1073741824), isplat(0), isplat(1));
  return high + high + select_lt(low, isplat(0), carried, more);
}
)";

// v / 2^count to the nearest integer, ties away from zero; count from 0 to 31.
inline constexpr char kRoundedRight[] = R"(islice rounded_right(islice v, islice count) {
  islice whole = right_shifted(v, count);
  islice middle = right_shifted(isplat(2147483647), isplat(32) - max(count, isplat(1)));
  islice rest = v - left_shifted(whole, count);
  return whole + select_lt(select_lt(v, isplat(0), middle + isplat(1), middle), rest, isplat(1), isplat(0));
}
)";

// v * 2^count, at most an end of the type; count from 0 to 31.
inline constexpr char kSaturatedLeft[] = R"(islice saturated_left(islice v, islice count) {
  islice most = right_shifted(isplat(2147483647), count);
  islice moved = select_lt(v, isplat(-1) - most, isplat(-2147483647) - isplat(1), left_shifted(v, count));
  return select_lt(most, v, isplat(2147483647), moved);
}
)";

// Zeros above the first bit that is set, of 32.
inline constexpr char kLeadingZeros[] = R"(islice leading_zeros(islice v) {
  islice zeros = isplat(32);
  islice rest = max(v, isplat(0));
  for (int step = 16; step > 0; step = step / 2) {
    islice upper = right_shifted(rest, isplat(step));
    zeros = zeros - select_lt(isplat(0), upper, isplat(step), isplat(0));
    rest = select_lt(isplat(0), upper, upper, rest);
  }
  return select_lt(v, isplat(0), isplat(0), zeros - rest);
}
)";

// 1 / (1 + v) of a Q0 that is not negative, by Newton's method.
inline constexpr char kOneOverOnePlus[] = R"(islice one_over_one_plus(islice v) {
  islice halved = isplat(1073741824) + right_shifted(v, isplat(1));
  islice x = isplat(1515870810) + multiply_high(halved, isplat(-1010580540));
  for (int i = 0; i < 3; i = i + 1) {
    islice error = isplat(536870912) - multiply_high(halved, x);
    x = x + saturated_left(multiply_high(x, error), isplat(2));
  }
  return saturated_left(x, isplat(1));
}
)";

// v / w times factor * 2^(shift - 31): w moves up until it is 1 and a fraction, v as far as it can.
inline constexpr char kFixedQuotient[] =
    R"(islice fixed_quotient(islice v, islice w, islice factor, islice shift) {
  islice divisor = max(w, isplat(0) - w);
  islice dividend = select_lt(w, isplat(0), isplat(0) - v, v);
  islice zeros = min(leading_zeros(divisor), isplat(31));
  islice room = leading_zeros(max(dividend, isplat(-1) - dividend)) - isplat(1);
  islice fraction = left_shifted(divisor, zeros) + isplat(2147483647) + isplat(1);
  islice quotient = multiply_high(left_shifted(dividend, room), one_over_one_plus(fraction));
  quotient = multiply_high(quotient, factor);
  islice right = isplat(31) - zeros + room - shift;
  islice down = rounded_right(quotient, min(max(right, isplat(0)), isplat(31)));
  islice up = saturated_left(quotient, min(max(isplat(0) - right, isplat(0)), isplat(31)));
  quotient = select_lt(right, isplat(0), up, select_lt(isplat(31), right, isplat(0), down));
  return select_eq(divisor, isplat(0), isplat(0), quotient);
}
)";

// 1 where the quotient towards zero, of which `rest` is left, is not the floored one.
inline constexpr char kPassesFloor[] = R"(islice passes_floor(islice rest, islice w) {
  islice below = select_lt(isplat(0), w, isplat(1), isplat(0));
  islice above = select_lt(w, isplat(0), isplat(1), isplat(0));
  return select_lt(rest, isplat(0), below, select_lt(isplat(0), rest, above, isplat(0)));
}
)";
inline constexpr char kFlooredQuotient[] = R"(islice floored_quotient(islice v, islice w) {
  islice quotient = idiv(v, w);
  return quotient - passes_floor(v - quotient * w, w);
}
)";
inline constexpr char kFlooredRest[] = R"(islice floored_rest(islice v, islice w) {
  islice rest = v - idiv(v, w) * w;
  return rest + passes_floor(rest, w) * w;
}
)";

// The logarithm, with 5 bits before the point, of a sum of exponentials, which has 12 and is at
// least 1: that of the mantissa, by a quotient of polynomials, and of the power of two.
inline constexpr char kLogOfSum[] = R"(islice log_of_sum(islice v) {
  islice root = isplat(1518500250);
  islice middle = isplat(1805811301);
  islice quarter = isplat(8388608);
  islice zeros = leading_zeros(v);
  islice moved = left_shifted(v, max(zeros - isplat(1), isplat(0)));
  islice r = saturated_left(multiply_high(moved, root), isplat(1));
  islice power = left_shifted(isplat(12) - zeros, isplat(25)) + quarter;
  islice other_zeros = leading_zeros(multiply_high(v, root)) - isplat(1);
  r = min(r, saturated_left(v, other_zeros));
  power = max(power, left_shifted(isplat(12) - other_zeros, isplat(25)) - quarter);
  islice p = isplat(902905651) + right_shifted(r, isplat(1));
  islice q = r - middle + r - middle;
  islice square = multiply_high(q, q);
  islice top = multiply_high(q, r) + multiply_high(multiply_high(q, square), isplat(117049297));
  islice bottom = isplat(1057819769) + q + multiply_high(isplat(127690142), square);
  bottom = multiply_high(p, bottom) + multiply_high(isplat(638450708), q);
  islice ratio = multiply_high(rounded_right(top, isplat(6)), one_over_one_plus(bottom));
  return saturated_left(multiply_high(power, isplat(1488522236)) + ratio, isplat(1));
}
)";

// 1 / sqrt(v) of v above 1 as a multiplier of 31 bits, by Newton's method; it is times
// 2^-root_shift(v).
inline constexpr char kRootShift[] = R"(islice root_shift(islice v) {
  islice large = select_lt(v, isplat(536870912), isplat(0), isplat(1));
  islice rest = right_shifted(v, large + large);
  islice pairs = right_shifted(leading_zeros(rest) - isplat(1), isplat(1)) - isplat(1);
  return isplat(11) + large - pairs;
}
)";
inline constexpr char kInverseRoot[] = R"(islice inverse_root(islice v) {
  islice large = select_lt(v, isplat(536870912), isplat(0), isplat(1));
  islice rest = right_shifted(v, large + large);
  islice pairs = right_shifted(leading_zeros(rest) - isplat(1), isplat(1)) - isplat(1);
  islice halved = rounded_right(right_shifted(left_shifted(rest, pairs + pairs), isplat(1)), isplat(1));
  islice x = isplat(268435456);
  for (int i = 0; i < 5; i = i + 1) {
    islice cube = saturated_left(multiply_high(multiply_high(x, x), x), isplat(6));
    x = saturated_left(multiply_high(isplat(402653184), x) - multiply_high(halved, cube), isplat(3));
  }
  x = multiply_high(x, isplat(1518500250));
  return left_shifted(x, max(isplat(0) - root_shift(v), isplat(0)));
}
)";

}  // namespace tern::gpu

#endif  // TERN_GPU_SOURCE_INTEGER_FUNCTIONS_H_
