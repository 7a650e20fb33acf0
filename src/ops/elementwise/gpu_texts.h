// SPDX-License-Identifier: Apache-2.0
// GPU texts of table.inc that are too long for a row: kernel dialect over the slices v and w. Parts
// that occur twice are computed once by every compiler.
#ifndef TERN_OPS_ELEMENTWISE_GPU_TEXTS_H_
#define TERN_OPS_ELEMENTWISE_GPU_TEXTS_H_

#include <initializer_list>
#include <string>

#include "base/str_cat.h"

namespace tern::elementwise {

using Text = std::string;

inline Text Call(const char* function, std::initializer_list<Text> arguments) {
  Text text;
  for (const Text& argument : arguments) text += (text.empty() ? "" : ", ") + argument;
  return StrCat(function, "(", text, ")");
}
// `yes` where a < b, else `no`.
inline Text IfLess(const Text& a, const Text& b, const Text& yes, const Text& no) {
  return Call("select_lt", {a, b, yes, no});
}
inline Text IfNan(const Text& a, const Text& yes, const Text& no) {
  return Call("select_nan", {a, yes, no});
}
inline Text IfEqual(const Text& a, const Text& b, const Text& yes, const Text& no) {
  return Call("select_eq", {a, b, yes, no});
}
// Makes a text once, for the rest of the program.
template <Text (*kMake)()>
const char* Kept() {
  static const Text& text = *new Text(kMake());
  return text.c_str();
}

inline constexpr char kZero[] = "splat(0.0)";
inline constexpr char kOne[] = "splat(1.0)";
inline constexpr char kLargest[] = "splat(3.4028234e38)";

// By the order of the bits: devices may take subnormal numbers for zero.
inline constexpr char kSignText[] =
    "select_nan(v, v, select_lt(order(v), isplat(0), splat(-1.0), "
    "select_lt(isplat(0), order(v), splat(1.0), splat(0.0))))";

// `x` where the rest has another sign than the divisor, else `y`. By comparisons of both with zero:
// their quotient may be a subnormal number, which devices may take for zero.
inline Text IfOtherSign(const Text& rest, const Text& zero, const Text& x, const Text& y) {
  return IfLess(rest, zero, IfLess(zero, "w", x, y),
                IfLess(zero, rest, IfLess("w", zero, x, y), y));
}

// The nearest integer of the quotient, and whether it lies above the quotient. A device's division
// may be a few units off, which must not push the quotient of a multiple below the integer.
inline constexpr char kNearest[] = "floor(v / w + splat(0.5))";
inline constexpr char kRest[] = "(v - floor(v / w + splat(0.5)) * w)";

// Beside an infinite divisor, above the largest finite number, nothing is a rest.
inline Text FloorDivText() {
  return IfLess(kLargest, "abs(w)", kNearest,
                IfOtherSign(kRest, kZero, StrCat(kNearest, " - splat(1.0)"), kNearest));
}
// An infinite divisor leaves v of its own sign alone and is itself the rest of others; an infinite
// v has none. Of a quotient beyond all floats the rest is 0, and where more than the divisor is
// left, which is the quotient's rounding. NaN compares with nothing and comes out as v. NaN is made
// of infinities at run time: compilers make 0 of v - v and then of its quotients.
inline Text FloorModText() {
  const Text beside_infinite =
      IfLess(kLargest, "abs(v)", "v / w", IfLess("v * w", kZero, "w", "v"));
  const Text beyond_floats =
      IfLess(kLargest, "abs(v)", "abs(v / w) - abs(v)", IfEqual("w", kZero, "w * (v / w)", kZero));
  const Text rest = IfLess("abs(w)", Call("abs", {kRest}), kZero,
                           IfOtherSign(kRest, kZero, StrCat(kRest, " + w"), kRest));
  return IfLess(kLargest, "abs(w)", beside_infinite,
                IfLess(kLargest, "abs(v / w)", beyond_floats, rest));
}

// INT32: one less than the quotient towards zero where something is left with the other sign.
inline constexpr char kIntRest[] = "(v - idiv(v, w) * w)";
inline Text IntFloorDivText() {
  return IfOtherSign(kIntRest, "isplat(0)", "idiv(v, w) - isplat(1)", "idiv(v, w)");
}
inline Text IntFloorModText() {
  return IfOtherSign(kIntRest, "isplat(0)", StrCat(kIntRest, " + w"), kIntRest);
}

// The languages promise pow() for positive bases alone. For a negative one the exponent decides:
// NaN, by its bits, when it is no integer, a negative number when it is odd. 1 to any power, NaN
// too, is 1.
inline Text PowText() {
  const Text half = "w * splat(0.5)", half_floor = "floor(w * splat(0.5))", magnitude = "abs(v)";
  const Text positive = IfEqual(magnitude, kOne, magnitude, "pow(abs(v), w)");
  const auto of_zero = [](const Text& v) { return IfLess("w", kZero, "splat(1.0) / " + v, v); };
  const Text zero = IfLess("floor(w)", "w", of_zero(magnitude),
                           IfLess(half_floor, half, of_zero("v"), of_zero(magnitude)));
  const Text negative = IfLess(
      "floor(w)", "w", IfLess(kLargest, magnitude, positive, "slice_of_bits(isplat(2143289344))"),
      IfLess(half_floor, half, "-" + positive, positive));
  const Text finite = IfLess("v", kZero, negative, IfLess(kZero, "v", positive, zero));
  return IfLess("abs(w)", "splat(1.17549435e-38)", kOne,
                IfNan("v", "v", IfEqual("v", kOne, "v", IfNan("w", "w", finite))));
}

// Of y = v and x = w: the arc tangent of the smaller by the larger magnitude, a polynomial on
// [0, 1], unfolded into the octant. Signs count for zeros, too: 1/x tells them. Both are moved to
// where no inverse is a subnormal number, which devices may take for zero.
inline Text Atan2Text() {
  const Text larger = "max(abs(v), abs(w))", limit = "splat(3.0e38)";
  const Text unit = IfLess("splat(1.0e18)", larger, "splat(5.42101086e-20)",
                           IfLess(larger, "splat(1.0e-18)", "splat(1.84467441e19)", kOne));
  const Text ratio = StrCat(
      "(", Call("min", {"min(abs(v), abs(w))", limit}), " * ", unit, " / ",
      Call("max", {StrCat(Call("min", {larger, limit}), " * ", unit), "splat(1.17549435e-38)"}),
      ")");
  Text series = "splat(0.00283406419)";
  for (const char* factor : {"-0.0160050299", "0.0425876081", "-0.0749544576", "0.106367543",
                             "-0.142025709", "0.199924842", "-0.333330661", "1.0"}) {
    series = StrCat("(splat(", factor, ") + ", ratio, " * ", ratio, " * ", series, ")");
  }
  const auto if_steep = [](const char* x, const char* y) {
    return IfLess("abs(w)", "abs(v)", StrCat("splat(", x, ")"), StrCat("splat(", y, ")"));
  };
  const auto if_left = [](const Text& x, const Text& y) {
    return IfLess("w + splat(1.0) / w", kZero, x, y);
  };
  const Text start = if_left(if_steep("1.57079633", "3.14159265"), if_steep("1.57079633", "0.0"));
  const Text direction = if_left(if_steep("1.0", "-1.0"), if_steep("-1.0", "1.0"));
  const Text sign = IfLess("v + splat(1.0) / v", kZero, "splat(-1.0)", kOne);
  return IfNan(
      "v", "v",
      IfNan("w", "w",
            StrCat(sign, " * (", start, " + ", direction, " * ", ratio, " * ", series, ")")));
}

}  // namespace tern::elementwise

#endif  // TERN_OPS_ELEMENTWISE_GPU_TEXTS_H_
