// SPDX-License-Identifier: Apache-2.0
// Rows of 8-bit numbers, widened to 32 bits where they are computed with.
#include "cpu/byte_rows.h"

#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/byte_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/tails-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {

#if TERN_SIMD

using D32 = hn::ScalableTag<int32_t>;
using DF = hn::ScalableTag<float>;
using V32 = hn::Vec<D32>;
template <class T>
using Narrow = hn::Rebind<T, D32>;

// ---- tables

using D8 = hn::ScalableTag<uint8_t>;
using V8 = hn::Vec<D8>;

#if HWY_TARGET == HWY_AVX3_DL

struct Table {
  __m512i quarter[4];
  explicit Table(const uint8_t* table) {
    for (int i = 0; i < 4; ++i) quarter[i] = _mm512_loadu_si512(table + 64 * i);
  }
  HWY_INLINE V8 operator()(V8 v) const {
    const __m512i low = _mm512_permutex2var_epi8(quarter[0], v.raw, quarter[1]);
    const __m512i high = _mm512_permutex2var_epi8(quarter[2], v.raw, quarter[3]);
    return V8{_mm512_mask_mov_epi8(low, _mm512_movepi8_mask(v.raw), high)};
  }
};

#else

// One of 16 entries by the low four bits, and among the 16 tables by one bit after the other.
struct Table {
  const uint8_t* table;
  explicit Table(const uint8_t* t) : table(t) {}
  template <int kBit, class V>
  static HWY_INLINE V8 Choose(V v, V8 yes, V8 no) {
    const hn::RebindToSigned<D8> di;
    const hn::Repartition<uint16_t, D8> dw;
    const V8 moved = hn::BitCast(D8(), hn::ShiftLeft<7 - kBit>(hn::BitCast(dw, v)));
    return hn::BitCast(D8(), hn::IfNegativeThenElse(hn::BitCast(di, moved), hn::BitCast(di, yes),
                                                    hn::BitCast(di, no)));
  }
  template <int kTables>
  HWY_INLINE V8 Of(V8 v, V8 low, const uint8_t* at) const {
    if constexpr (kTables == 1) {
      return hn::TableLookupBytes(hn::LoadDup128(D8(), at), low);
    } else {
      constexpr int kBit = kTables == 2 ? 4 : kTables == 4 ? 5 : kTables == 8 ? 6 : 7;
      const V8 first = Of<kTables / 2>(v, low, at);
      return Choose<kBit>(v, Of<kTables / 2>(v, low, at + 8 * kTables), first);
    }
  }
  HWY_INLINE V8 operator()(V8 v) const { return Of<16>(v, hn::And(v, hn::Set(D8(), 15)), table); }
};

#endif

void Map(const uint8_t* table, const uint8_t* in, uint8_t* out, int64_t count) {
  const Table lookup(table);
  MapRow(D8(), in, out, count, [&lookup](V8 v) { return lookup(v); });
}

// ---- fixed point

// round(v * factor / 2^31), ties up.
HWY_INLINE V32 MultiplyHigh(V32 v, V32 factor) {
  const hn::Repartition<int64_t, D32> d64;
  const hn::Repartition<uint64_t, D32> du64;
  const auto nudge = hn::Set(d64, int64_t{1} << 30);
  const V32 odd_v = hn::BitCast(D32(), hn::ShiftRight<32>(hn::BitCast(du64, v)));
  const auto even = hn::Add(hn::MulEven(v, factor), nudge);
  const auto odd = hn::Add(hn::MulEven(odd_v, factor), nudge);
  return hn::OddEven(hn::BitCast(D32(), hn::ShiftLeft<1>(hn::BitCast(du64, odd))),
                     hn::BitCast(D32(), hn::ShiftRight<31>(hn::BitCast(du64, even))));
}

// v / 2^shift, ties away from zero; |v| <= 2^30.
struct RoundingShift {
  int shift;
  V32 half, signs;
  explicit RoundingShift(int s)
      : shift(s),
        half(hn::Set(D32(), s > 0 ? 1 << (s - 1) : 0)),
        signs(hn::Set(D32(), s > 0 ? -1 : 0)) {}
  HWY_INLINE V32 operator()(V32 v) const {
    const V32 below = hn::And(hn::ShiftRight<31>(v), signs);
    return hn::ShiftRightSame(hn::Add(hn::Add(v, half), below), shift);
  }
};

// (d * 2^20) * factor for |d| < 2^9. The product's first rounding, of d * value / 2^11, is made in
// 32 bits: value = high * 2^11 + low.
struct SmallScale {
  V32 high, low, half;
  RoundingShift shift;
  explicit SmallScale(const Multiplier& f)
      : high(hn::Set(D32(), f.value >> 11)),
        low(hn::Set(D32(), f.value & 2047)),
        half(hn::Set(D32(), 1 << 10)),
        shift(-f.shift) {}
  HWY_INLINE V32 operator()(V32 d) const {
    const V32 rest = hn::ShiftRight<11>(hn::Add(hn::Mul(d, low), half));
    return shift(hn::Add(hn::Mul(d, high), rest));
  }
};

// Adds the zero point, limits and stores.
struct Finish {
  V32 zero, low, high;
  explicit Finish(const BytePair& p)
      : zero(hn::Set(D32(), p.zero_out)),
        low(hn::Set(D32(), p.low)),
        high(hn::Set(D32(), p.high)) {}
  HWY_INLINE V32 operator()(V32 v) const { return hn::Min(hn::Max(hn::Add(v, zero), low), high); }
};

// ---- pairs

template <class T, class Make>
HWY_INLINE void PairRow(const BytePair& p, const T* a, bool a_moves, const T* b, bool b_moves,
                        T* out, int64_t count, const Make& make) {
  const D32 d;
  const Narrow<T> dn;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  const V32 zero_a = hn::Set(d, p.zero_a), zero_b = hn::Set(d, p.zero_b);
  const V32 first = hn::Sub(hn::Set(d, *a), zero_a), second = hn::Sub(hn::Set(d, *b), zero_b);
  const Finish finish(p);
  const auto real = [d](auto v, V32 zero) { return hn::Sub(hn::PromoteTo(d, v), zero); };
  int64_t i = 0;
  for (; i + n <= count; i += n) {
    const V32 v = a_moves ? real(hn::LoadU(dn, a + i), zero_a) : first;
    const V32 w = b_moves ? real(hn::LoadU(dn, b + i), zero_b) : second;
    hn::StoreU(hn::DemoteTo(dn, finish(make(v, w))), dn, out + i);
  }
  if (i == count) return;
  const V32 v = a_moves ? real(LoadTail(dn, a + i, count - i), zero_a) : first;
  const V32 w = b_moves ? real(LoadTail(dn, b + i, count - i), zero_b) : second;
  StoreTail(hn::DemoteTo(dn, finish(make(v, w))), dn, out + i, count - i);
}

constexpr int32_t kHalf = 1 << 30;

template <class T>
void Sum(const ByteSum& s, const T* a, bool a_moves, const T* b, bool b_moves, T* out,
         int64_t count) {
  const V32 factor = hn::Set(D32(), s.scale_out.value);
  const RoundingShift shift(-s.scale_out.shift);
  const bool first_is_half = s.scale_a.value == kHalf && s.scale_a.shift == 0;
  const SmallScale scale(first_is_half ? s.scale_b : s.scale_a);
  const bool subtract = s.subtract;
  const auto finish = [=](V32 x, V32 y) {
    return shift(MultiplyHigh(subtract ? hn::Sub(x, y) : hn::Add(x, y), factor));
  };
  if (first_is_half) {
    PairRow(s.pair, a, a_moves, b, b_moves, out, count,
            [&](V32 v, V32 w) { return finish(hn::ShiftLeft<19>(v), scale(w)); });
  } else {
    PairRow(s.pair, a, a_moves, b, b_moves, out, count,
            [&](V32 v, V32 w) { return finish(scale(v), hn::ShiftLeft<19>(w)); });
  }
}

template <class T>
void Product(const ByteProduct& p, const T* a, bool a_moves, const T* b, bool b_moves, T* out,
             int64_t count) {
  const V32 factor = hn::Set(D32(), p.scale.value);
  const int left = p.scale.shift > 0 ? p.scale.shift : 0;
  const RoundingShift shift(left - p.scale.shift);
  PairRow(p.pair, a, a_moves, b, b_moves, out, count, [&](V32 v, V32 w) {
    return shift(MultiplyHigh(hn::ShiftLeftSame(hn::Mul(v, w), left), factor));
  });
}

// ---- floats

template <class T>
void Quantize(const float* in, T* out, int64_t count, float scale, int32_t zero_point, int32_t low,
              int32_t high) {
  const DF d;
  const auto divisor = hn::Set(d, scale), zero = hn::Set(d, static_cast<float>(zero_point));
  const auto min = hn::Set(d, static_cast<float>(low));
  const auto max = hn::Set(d, static_cast<float>(high));
  // The largest number below a half: with it, what lies below a tie stays below the next integer.
  const auto half = hn::Set(d, 0.49999997f);
  MapRow(d, in, out, count, [&](auto v) {
    const auto scaled = hn::Div(v, divisor);
    const auto rounded = hn::Trunc(hn::Add(scaled, hn::CopySign(half, scaled)));
    const auto placed = hn::Add(rounded, zero);
    const auto limited = hn::Min(hn::IfThenElse(hn::Gt(placed, min), placed, min), max);
    return hn::DemoteTo(Narrow<T>(), hn::ConvertTo(D32(), limited));
  });
}

template <class T>
void Dequantize(const T* in, float* out, int64_t count, float scale, int32_t zero_point) {
  const Narrow<T> dn;
  const auto factor = hn::Set(DF(), scale);
  const V32 zero = hn::Set(D32(), zero_point);
  MapRow(dn, in, out, count, [&](auto v) {
    const V32 steps = hn::Sub(hn::PromoteTo(D32(), v), zero);
    return hn::Mul(hn::ConvertTo(DF(), steps), factor);
  });
}

template <class T>
const ByteForms<T>* Forms() {
  static constexpr ByteForms<T> kForms = {&Sum<T>, &Product<T>, &Quantize<T>, &Dequantize<T>};
  return &kForms;
}
const ByteForms<int8_t>* SignedForms() { return Forms<int8_t>(); }
const ByteForms<uint8_t>* UnsignedForms() { return Forms<uint8_t>(); }

using MapForm = void (*)(const uint8_t*, const uint8_t*, uint8_t*, int64_t);
MapForm FastMap() { return &Map; }

#else

const ByteForms<int8_t>* SignedForms() { return nullptr; }
const ByteForms<uint8_t>* UnsignedForms() { return nullptr; }
using MapForm = void (*)(const uint8_t*, const uint8_t*, uint8_t*, int64_t);
MapForm FastMap() { return nullptr; }

#endif  // TERN_SIMD

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(SignedForms);
HWY_EXPORT(UnsignedForms);
HWY_EXPORT(FastMap);

template <>
const ByteForms<int8_t>* FastBytes<int8_t>() {
  return TERN_OPTIMIZED_KERNEL(SignedForms);
}
template <>
const ByteForms<uint8_t>* FastBytes<uint8_t>() {
  return TERN_OPTIMIZED_KERNEL(UnsignedForms);
}

void MapBytes(const uint8_t* table, const uint8_t* in, uint8_t* out, int64_t count) {
  static const auto fast = TERN_OPTIMIZED_KERNEL(FastMap);
  if (fast != nullptr) return fast(table, in, out, count);
  for (int64_t i = 0; i < count; ++i) out[i] = table[in[i]];
}

}  // namespace tern

#endif  // HWY_ONCE
