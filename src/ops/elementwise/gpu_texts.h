// SPDX-License-Identifier: Apache-2.0
// GPU texts of table.inc that are too long for a row: kernel dialect over the slices v and w. Parts
// that occur twice are computed once by every compiler.
#ifndef TERN_OPS_ELEMENTWISE_GPU_TEXTS_H_
#define TERN_OPS_ELEMENTWISE_GPU_TEXTS_H_

namespace tern::elementwise {

// By the order of the bits: devices may take subnormal numbers for zero.
inline constexpr char kSignText[] =
    "select_nan(v, v, select_lt(order(v), isplat(0), splat(-1.0), "
    "select_lt(isplat(0), order(v), splat(1.0), splat(0.0))))";

// The nearest integer of the quotient, and whether it lies above the quotient. A device's division
// may be a few units off, which must not push the quotient of a multiple below the integer.
#define TERN_NEAREST "floor(v / w + splat(0.5))"
#define TERN_REST "(v - " TERN_NEAREST " * w)"
// X where the rest has another sign than the divisor, else Y. By comparisons of both with zero:
// their quotient may be a subnormal number, which devices may take for zero.
#define TERN_OTHER_SIGN(ZERO, X, Y)                                                          \
  "select_lt(" TERN_REST ", " ZERO ", select_lt(" ZERO ", w, " X ", " Y "), select_lt(" ZERO \
  ", " TERN_REST ", select_lt(w, " ZERO ", " X ", " Y "), " Y "))"
// Beside an infinite divisor, above the largest finite number, nothing is a rest.
#define TERN_LARGEST "splat(3.4028234e38)"
inline constexpr char kFloorDivText[] =
    "select_lt(" TERN_LARGEST ", abs(w), " TERN_NEAREST
    ", " TERN_OTHER_SIGN("splat(0.0)", TERN_NEAREST " - splat(1.0)", TERN_NEAREST) ")";
// An infinite divisor leaves v of its own sign alone and is itself the rest of others; an infinite
// v has none. Of a quotient beyond all floats the rest is 0, and where more than the divisor is
// left, which is the quotient's rounding. NaN compares with nothing and comes out as v. NaN is made
// of infinities at run time: compilers make 0 of v - v and then of its quotients.
inline constexpr char kFloorModText[] =
    "select_lt(" TERN_LARGEST ", abs(w), select_lt(" TERN_LARGEST
    ", abs(v), v / w, select_lt(v * w, splat(0.0), w, v)), "
    "select_lt(" TERN_LARGEST ", abs(v / w), select_lt(" TERN_LARGEST
    ", abs(v), abs(v / w) - abs(v), select_eq(w, splat(0.0), w * (v / w), "
    "splat(0.0))), select_lt(abs(w), abs(" TERN_REST
    "), splat(0.0), " TERN_OTHER_SIGN("splat(0.0)", TERN_REST " + w", TERN_REST) ")))";
#undef TERN_LARGEST
#undef TERN_NEAREST
#undef TERN_REST

// INT32: one less than the quotient towards zero where something is left with the other sign.
#define TERN_REST "(v - idiv(v, w) * w)"
inline constexpr char kIntFloorDivText[] =
    TERN_OTHER_SIGN("isplat(0)", "idiv(v, w) - isplat(1)", "idiv(v, w)");
inline constexpr char kIntFloorModText[] =
    TERN_OTHER_SIGN("isplat(0)", TERN_REST " + w", TERN_REST);
#undef TERN_REST
#undef TERN_OTHER_SIGN

// The languages promise pow() for positive bases alone. For a negative one the exponent decides:
// NaN, by its bits, when it is no integer, a negative number when it is odd. 1 to any power, NaN
// too, is 1.
#define TERN_POSITIVE "select_eq(abs(v), splat(1.0), abs(v), pow(abs(v), w))"
#define TERN_OF_ZERO(V) "select_lt(w, splat(0.0), splat(1.0) / " V ", " V ")"
#define TERN_ZERO \
  "select_lt(floor(w), w, " TERN_OF_ZERO(                                                      \
      "abs(v)") ", select_lt(floor(w * splat(0.5)), w * splat(0.5), " TERN_OF_ZERO("v") ", " TERN_OF_ZERO( \
      "abs(v)") "))"
#define TERN_SIGNED                                                                         \
  "select_lt(floor(w), w, select_lt(splat(3.4028234e38), abs(v), " TERN_POSITIVE            \
  ", slice_of_bits(isplat(2143289344))), select_lt(floor(w * splat(0.5)), w * splat(0.5), " \
  "-" TERN_POSITIVE ", " TERN_POSITIVE "))"
inline constexpr char kPowText[] =
    "select_lt(abs(w), splat(1.17549435e-38), splat(1.0), select_nan(v, v, select_eq(v, "
    "splat(1.0), v, "
    "select_nan(w, w, select_lt(v, splat(0.0), " TERN_SIGNED
    ", select_lt(splat(0.0), v, " TERN_POSITIVE ", " TERN_ZERO "))))))";
#undef TERN_POSITIVE
#undef TERN_ZERO
#undef TERN_OF_ZERO
#undef TERN_SIGNED

// Of y = v and x = w: the arc tangent of the smaller by the larger magnitude, a polynomial on
// [0, 1], unfolded into the octant. Signs count for zeros, too: 1/x tells them. Both are moved to
// where no inverse is a subnormal number, which devices may take for zero.
#define TERN_UNIT                                                         \
  "select_lt(splat(1.0e18), max(abs(v), abs(w)), splat(5.42101086e-20), " \
  "select_lt(max(abs(v), abs(w)), splat(1.0e-18), splat(1.84467441e19), splat(1.0)))"
#define TERN_RATIO                                        \
  "(min(min(abs(v), abs(w)), splat(3.0e38)) * " TERN_UNIT \
  " / max(min(max(abs(v), abs(w)), splat(3.0e38)) * " TERN_UNIT ", splat(1.17549435e-38)))"
#define TERN_TERM(C, REST) "(splat(" C ") + " TERN_RATIO " * " TERN_RATIO " * " REST ")"
// clang-format off
#define TERN_OCTANT                                                                 \
  TERN_RATIO " * " TERN_TERM("1.0", TERN_TERM("-0.333330661", TERN_TERM("0.199924842", \
  TERN_TERM("-0.142025709", TERN_TERM("0.106367543", TERN_TERM("-0.0749544576",        \
  TERN_TERM("0.0425876081", TERN_TERM("-0.0160050299", "splat(0.00283406419)"))))))))
// clang-format on
#define TERN_STEEP(X, Y) "select_lt(abs(w), abs(v), splat(" X "), splat(" Y "))"
#define TERN_LEFT(X, Y) "select_lt(w + splat(1.0) / w, splat(0.0), " X ", " Y ")"
inline constexpr char kAtan2Text[] =
    "select_nan(v, v, select_nan(w, w, "
    "select_lt(v + splat(1.0) / v, splat(0.0), splat(-1.0), splat(1.0)) * "
    "(" TERN_LEFT(TERN_STEEP("1.57079633", "3.14159265"),
                  TERN_STEEP("1.57079633",
                             "0.0")) " + " TERN_LEFT(TERN_STEEP("1.0", "-1.0"),
                                                     TERN_STEEP("-1.0", "1.0")) " * " TERN_OCTANT
                                                                                ")))";
#undef TERN_RATIO
#undef TERN_UNIT
#undef TERN_TERM
#undef TERN_OCTANT
#undef TERN_STEEP
#undef TERN_LEFT

}  // namespace tern::elementwise

#endif  // TERN_OPS_ELEMENTWISE_GPU_TEXTS_H_
