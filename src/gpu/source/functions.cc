// SPDX-License-Identifier: Apache-2.0
// The texts of the functions. A macro stands over a name that some language has already.
#include "gpu/source/functions.h"

#include <iterator>

#include "base/str_cat.h"
#include "gpu/source/integer_functions.h"

namespace tern::gpu {
namespace {

// exp(-x^2) t P(t), t = 1 / (1 + 0.4 x), fitted to 4e-7 of the value up to where it leaves the
// range of floats; at 12 it is 0. The function itself instead of 1 - erf, which has no digits left
// where it is small.
constexpr char kErfc[] = R"(slice complement_of_erf(slice v) {
  slice x = min(abs(v), splat(12.0));
  slice t = splat(1.0) / (splat(1.0) + splat(0.4) * x);
  slice p = mad(t, splat(5.28861185e-2), splat(-0.299164094));
  p = mad(t, p, splat(0.507024364));
  p = mad(t, p, splat(-0.19594835));
  p = mad(t, p, splat(0.304835136));
  p = mad(t, p, splat(0.174919382));
  p = mad(t, p, splat(0.230010183));
  p = mad(t, p, splat(0.22543688)) * t * exp(-(x * x));
  return select_lt(v, splat(0.0), splat(2.0) - p, p);
}
#define erfc(V) complement_of_erf(V)
)";

// The sine of an angle that is less than it by `turns`, quarter turns: 0 for sine(), 1 for
// cosine(). Whole quarter turns go away in three parts, of which the products with the first two
// are exact. The rest, at most pi / 4, goes through a polynomial; the number of quarter turns tells
// which and its sign.
constexpr char kWave[] = R"(slice wave(slice v, slice turns) {
  slice n = round_even(v * splat(0.636619772));
  slice a = mad(n, splat(-1.5703125), v);
  a = mad(n, splat(-4.83751297e-4), a);
  a = mad(n, splat(-7.54978995e-8), a);
  slice q = a * a;
  slice s = mad(q, splat(-1.95152959e-4), splat(8.33216087e-3));
  s = mad(a * q, mad(q, s, splat(-0.166666546)), a);
  slice c = mad(q, splat(2.44331571e-5), splat(-1.38873163e-3));
  c = mad(q * q, mad(q, c, splat(4.16666456e-2)), mad(q, splat(-0.5), splat(1.0)));
  n = n + turns;
  slice half_turns = n * splat(0.5);
  slice whole_turns = n * splat(0.25);
  slice sign = select_lt(whole_turns - floor(whole_turns), splat(0.5), splat(1.0), splat(-1.0));
  return select_lt(floor(half_turns), half_turns, c, s) * sign;
}
)";

// Languages promise sin() and cos() for small angles at most; beyond 12000 the products of wave()
// round, and what the device has is as good.
constexpr char kSine[] = R"(slice sine(slice v) {
  return select_lt(abs(v), splat(12000.0), wave(v, splat(0.0)), sin(v));
}
)";
constexpr char kCosine[] = R"(slice cosine(slice v) {
  return select_lt(abs(v), splat(12000.0), wave(v, splat(1.0)), cos(v));
}
)";

// NaN by its bits, as compilers may assume that there is none.
constexpr char kIsNan[] = R"(bool is_nan(real r) { return bits(real_bits(r), 0, 31) > 2139095040; }
)";

// r is a function of v. Drivers need not give NaN for NaN.
constexpr char kKeepingNan[] = R"(slice keeping_nan(slice v, slice r) {
  return select_nan(v, v, r);
}
)";
constexpr char kKeepingNanAnyway[] = R"(slice keeping_nan(slice v, slice r) { return r; }
)";

// Of -0 as of 0, and below all others for NaN.
constexpr char kOrder[] = R"(islice order(slice v) {
  islice digits = slice_bits(v);
  islice size = digits & isplat(2147483647);
  islice place = select_lt(digits, isplat(0), isplat(0) - size, size);
  return select_lt(isplat(2139095040), size, isplat(-2147483647 - 1), place);
}
)";

// min() and max() of NaN are one thing here and another there; of subnormal numbers they may be 0.
constexpr char kBetween[] = R"(slice between(slice v, slice low, slice high) {
  return select_nan(v, v, min(max(v, low), high));
}
)";
constexpr char kBetweenByComparisons[] = R"(slice between(slice v, slice low, slice high) {
  slice r = select_lt(v, low, low, v);
  return select_lt(high, r, high, r);
}
)";
constexpr char kLimited[] = R"(slice limited(slice v, slice low, slice high) {
  return select_nan(v, low, min(max(v, low), high));
}
)";
constexpr char kLimitedByComparisons[] = R"(slice limited(slice v, slice low, slice high) {
  slice r = select_lt(low, v, v, low);
  return select_lt(high, r, high, r);
}
)";
constexpr char kLarger[] = R"(slice larger(slice v, slice w) {
  return select_nan(v, v, select_nan(w, w, select_lt(order(v), order(w), w, v)));
}
)";
constexpr char kSmaller[] = R"(slice smaller(slice v, slice w) {
  return select_nan(v, v, select_nan(w, w, select_lt(order(w), order(v), w, v)));
}
)";

// A device's division may be a few units off, and most quotients that elements are made of lie half
// way between two. So where one is that near, the product of the number half a unit below the half
// and of w tells on which side of it v lies. Both are integers of 49 bits, of which the lowest 30
// tell the sign of so small a difference. The number below 0.5 is half as far away.
constexpr char kRoundedQuotient[] = R"(slice rounded_quotient(slice v, slice w) {
  slice size = abs(v);
  slice q = size / w;
  slice n = floor(q);
  slice middle = n + splat(0.5);
  islice v_bits = slice_bits(size);
  islice w_bits = slice_bits(w);
  islice m_bits = slice_bits(middle);
  islice deep = select_eq(n, splat(0.0), isplat(2), isplat(1));
  islice shift = right_shifted(v_bits, isplat(23)) - right_shifted(w_bits, isplat(23)) - right_shifted(m_bits, isplat(23));
  shift = min(max(shift + deep + isplat(150), isplat(0)), isplat(31));
  islice v_part = (v_bits & isplat(8388607)) + isplat(8388608);
  islice w_part = (w_bits & isplat(8388607)) + isplat(8388608);
  islice m_part = left_shifted((m_bits & isplat(8388607)) + isplat(8388608), deep) - isplat(1);
  islice rest = (left_shifted(v_part, shift) & isplat(1073741823)) - ((m_part * w_part) & isplat(1073741823));
  islice below = select_lt(rest, isplat(0), select_lt(rest, isplat(-536870912), isplat(0), isplat(1)), select_lt(rest, isplat(536870912), isplat(0), isplat(1)));
  slice exact = select_eq(below, isplat(1), n, n + splat(1.0));
  slice r = select_lt(abs(q - middle), middle * splat(4.7683716e-7), exact, select_lt(q, middle, n, n + splat(1.0)));
  return select_lt(v, splat(0.0), -r, r);
}
)";

// Devices may trap on a division by zero and on the one quotient that is too large.
constexpr char kIdiv[] = R"(islice idiv(islice v, islice w) {
  islice minus = isplat(0) - v;
  islice q = v / select_eq(w, isplat(0), isplat(1), select_eq(w, isplat(-1), isplat(1), w));
  return select_eq(w, isplat(0), isplat(0), select_eq(w, isplat(-1), minus, q));
}
)";

// The power by products, each checked: what does not fit is the smallest int.
constexpr char kIpow[] = R"(islice ipow(islice v, islice w) {
  islice size = max(v, isplat(0) - v);
  islice most = idiv(isplat(2147483647), size);
  islice r = isplat(1);
  for (int i = 0; i < 31; i = i + 1) {
    islice next = select_lt(most, r, isplat(-1), r * size);
    next = select_lt(r, isplat(0), r, next);
    r = select_lt(isplat(i), w, next, r);
  }
  islice odd = w - idiv(w, isplat(2)) * isplat(2);
  islice known = select_lt(v, isplat(0), select_eq(odd, isplat(1), isplat(0) - r, r), r);
  known = select_lt(r, isplat(0), isplat(-2147483647) - isplat(1), known);
  known = select_eq(v, isplat(0), select_eq(w, isplat(0), isplat(1), isplat(0)), known);
  return select_lt(w, isplat(0), isplat(0), known);
}
)";

constexpr char kSignBit[] = R"(islice sign_bit(islice v) {
  return select_lt(v, isplat(0), isplat(1), isplat(0));
}
)";

// Without a sum that overflows: compilers may take its sign for that of v.
constexpr char kDoubled[] = R"(islice doubled(islice v) {
  islice rest = select_lt(v, isplat(0), v + isplat(2147483647) + isplat(1), v);
  islice low_part = rest - isplat(1073741824);
  return select_lt(rest, isplat(1073741824), rest + rest, low_part + low_part - isplat(2147483647) - isplat(1));
}
)";

constexpr char kLongLess[] = R"(islice long_less(islice vh, islice vl, islice wh, islice wl) {
  islice below = select_below(vl, wl, isplat(1), isplat(0));
  return select_lt(vh, wh, isplat(1), select_eq(vh, wh, below, isplat(0)));
}
)";

// The carry comes from the operands: compilers may assume that a sum of ints does not overflow.
constexpr char kLongSum[] = R"(islice long_sum(islice vh, islice vl, islice wh, islice wl) {
  return vh + wh + select_below(isplat(-1) - wl, vl, isplat(1), isplat(0));
}
)";

constexpr char kLongProduct[] = R"(islice long_product(islice vh, islice vl, islice wh, islice wl) {
  return high_product(vl, wl) + vl * wh + vh * wl;
}
)";

constexpr char kLongMinus[] = R"(islice long_minus(islice vh, islice vl) {
  return select_eq(vl, isplat(0), isplat(0) - vh, isplat(-1) - vh);
}
)";

// v * multiplier * 2^(shift - 31), rounded as the CPU does it: to integers of 2^-shift first, ties
// up, and where that is not 1 to integers then, ties away from zero. Both are one sum and one shift
// of the upper half of the product, after two further places that leave nothing of the first
// rounding to the lower half. For v below 2^29, or 2^(29 - shift), and shift above -30.
constexpr char kRequantize[] =
    R"(islice requantize(islice v, islice multiplier, islice shift) {
  islice down = max(isplat(0) - shift, isplat(0));
  islice away = min(down, isplat(1));
  islice product = signed_high_product(left_shifted(v, max(shift, isplat(0)) + isplat(2)), multiplier);
  product = product + left_shifted(isplat(1), down) + select_lt(v, isplat(0), isplat(0) - away, away);
  return right_shifted(product, down + isplat(1));
}
)";

// Requantizes with one rounding, ties up, for any v. Where it is moved to the left, what is cut off
// would give a number beyond 16 bits anyway.
constexpr char kRequantizeOnce[] =
    R"(islice requantize_once(islice v, islice multiplier, islice shift) {
  islice up = max(shift + isplat(2), isplat(0));
  islice down = max(isplat(-2) - shift, isplat(0));
  islice most = right_shifted(isplat(2147483647), up);
  islice rest = left_shifted(max(min(v, most), isplat(0) - most), up);
  islice product = signed_high_product(rest, multiplier) + left_shifted(isplat(1), down);
  return right_shifted(product, down + isplat(1));
}
)";

// Requantizes by a multiplier with a fraction, in 2^-32.
constexpr char kRequantizeFinely[] =
    R"(islice requantize_finely(islice v, islice multiplier, islice fraction, islice shift) {
  islice rest = saturated_left(v, max(shift + isplat(2), isplat(0)));
  islice down = max(isplat(-2) - shift, isplat(0));
  islice more = signed_high_product(rest, fraction);
  islice sign = select_lt(more, isplat(0), isplat(-1), isplat(0));
  islice product = long_sum(signed_high_product(rest, multiplier), rest * multiplier, sign, more);
  return right_shifted(product + left_shifted(isplat(1), down), down + isplat(1));
}
)";

// requantize() for any v and shift; moved to the left v wraps.
constexpr char kRequantizeLarge[] =
    R"(islice requantize_large(islice v, islice multiplier, islice shift) {
  islice down = max(isplat(0) - shift, isplat(0));
  v = left_shifted(v, max(shift, isplat(0)));
  islice low = v * multiplier;
  islice high = signed_high_product(v, multiplier);
  // The product and half of its bit 31: what the lower middle adds to twice the upper one.
  islice carried = select_lt(low, isplat(-1073741824), isplat(1), isplat(2));
  islice more = select_lt(low, isplat(1073741824), isplat(0), isplat(1));
  v = high + high + select_lt(low, isplat(0), carried, more);
  islice whole = right_shifted(v, down);
  islice middle = right_shifted(isplat(2147483647), isplat(32) - max(down, isplat(1)));
  islice rest = v - left_shifted(whole, down);
  return whole + select_lt(select_lt(v, isplat(0), middle + isplat(1), middle), rest, isplat(1), isplat(0));
}
)";

// A function stands after those that it uses.
struct Function {
  const char* word;
  const char* text;
  const char* by_comparisons = nullptr;  // shorter, where comparisons with NaN are always false

  const char* TextFor(const Language& language) const {
    return by_comparisons != nullptr && language.compares_nan() ? by_comparisons : text;
  }
};
constexpr Function kFunctions[] = {{"is_nan", kIsNan},
                                   {"keeping_nan", kKeepingNan, kKeepingNanAnyway},
                                   {"order", kOrder},
                                   {"between", kBetween, kBetweenByComparisons},
                                   {"limited", kLimited, kLimitedByComparisons},
                                   {"larger", kLarger},
                                   {"smaller", kSmaller},
                                   {"rounded_quotient", kRoundedQuotient},
                                   {"erfc", kErfc},
                                   {"wave", kWave},
                                   {"sine", kSine},
                                   {"cosine", kCosine},
                                   {"idiv", kIdiv},
                                   {"ipow", kIpow},
                                   {"sign_bit", kSignBit},
                                   {"doubled", kDoubled},
                                   {"long_less", kLongLess},
                                   {"long_sum", kLongSum},
                                   {"long_product", kLongProduct},
                                   {"long_minus", kLongMinus},
                                   {"requantize", kRequantize},
                                   {"requantize_once", kRequantizeOnce},
                                   {"requantize_large", kRequantizeLarge},
                                   {"multiply_high", kMultiplyHigh},
                                   {"rounded_right", kRoundedRight},
                                   {"saturated_left", kSaturatedLeft},
                                   {"requantize_finely", kRequantizeFinely},
                                   {"leading_zeros", kLeadingZeros},
                                   {"one_over_one_plus", kOneOverOnePlus},
                                   {"fixed_quotient", kFixedQuotient},
                                   {"passes_floor", kPassesFloor},
                                   {"floored_quotient", kFlooredQuotient},
                                   {"floored_rest", kFlooredRest},
                                   {"log_of_sum", kLogOfSum},
                                   {"root_shift", kRootShift},
                                   {"inverse_root", kInverseRoot}};

}  // namespace

std::string FunctionsFor(const Words& used, const Language& language) {
  Words needed = used;
  for (auto function = std::rbegin(kFunctions); function != std::rend(kFunctions); ++function) {
    if (needed.count(function->word) != 0) needed.merge(Identifiers(function->TextFor(language)));
  }
  std::string text;
  for (const Function& function : kFunctions) {
    if (needed.count(function.word) != 0)
      text += StrCat(language.FunctionQualifier(), function.TextFor(language));
  }
  return text;
}

}  // namespace tern::gpu
