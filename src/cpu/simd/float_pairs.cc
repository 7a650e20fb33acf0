// SPDX-License-Identifier: Apache-2.0
// Pairs of floats, a vector at a time.
#include "cpu/float_pairs.h"

#define TERN_NEEDS_NO_VNNI
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/float_pairs.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/clamp-inl.h"
#include "cpu/simd/tails-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {

#if TERN_SIMD

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

#define TERN_PAIR(Name, expression)                         \
  struct Name {                                             \
    static HWY_INLINE V Of(V v, V w) { return expression; } \
  };
TERN_PAIR(Add, hn::Add(v, w))
TERN_PAIR(Div, hn::Div(v, w))
// NaN where either is.
TERN_PAIR(Maximum, hn::IfThenElse(hn::Eq(v, v), hn::IfThenElse(hn::Gt(v, w), v, w), v))
TERN_PAIR(Minimum, hn::IfThenElse(hn::Eq(v, v), hn::IfThenElse(hn::Lt(v, w), v, w), v))
TERN_PAIR(Mul, hn::Mul(v, w))
TERN_PAIR(Prelu, hn::IfThenElse(hn::Lt(v, hn::Zero(D())), hn::Mul(v, w), v))
TERN_PAIR(SquaredDifference, hn::Mul(hn::Sub(v, w), hn::Sub(v, w)))
TERN_PAIR(Sub, hn::Sub(v, w))
#undef TERN_PAIR

template <class Pair>
void Row(const float* a, bool a_moves, const float* b, bool b_moves, float* out, int64_t count,
         float low, float high) {
  const D d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  const V first = hn::Set(d, *a), second = hn::Set(d, *b);
  const V min = hn::Set(d, low), max = hn::Set(d, high);
  const auto make = [=](V v, V w) { return Between(min, max, Pair::Of(v, w)); };
  int64_t i = 0;
  if (a_moves && b_moves) {
    for (; i + n <= count; i += n) {
      hn::StoreU(make(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
    }
  } else if (a_moves) {
    for (; i + n <= count; i += n) hn::StoreU(make(hn::LoadU(d, a + i), second), d, out + i);
  } else {
    for (; i + n <= count; i += n) {
      hn::StoreU(make(first, b_moves ? hn::LoadU(d, b + i) : second), d, out + i);
    }
  }
  if (i == count) return;
  const V v = a_moves ? LoadTail(d, a + i, count - i) : first;
  const V w = b_moves ? LoadTail(d, b + i, count - i) : second;
  StoreTail(make(v, w), d, out + i, count - i);
}

FloatPairRow Pairs(PairFunction function) {
  switch (function) {
#define TERN_PAIR(Name)       \
  case PairFunction::k##Name: \
    return &Row<Name>;
    TERN_PAIR(Add)
    TERN_PAIR(Div)
    TERN_PAIR(Maximum)
    TERN_PAIR(Minimum)
    TERN_PAIR(Mul)
    TERN_PAIR(Prelu)
    TERN_PAIR(SquaredDifference)
    TERN_PAIR(Sub)
#undef TERN_PAIR
  }
  return nullptr;
}

#else

FloatPairRow Pairs(PairFunction) { return nullptr; }

#endif  // TERN_SIMD

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(Pairs);

FloatPairRow FastPairs(PairFunction function) { return TERN_OPTIMIZED_KERNEL(Pairs, function); }

}  // namespace tern

#endif  // HWY_ONCE
