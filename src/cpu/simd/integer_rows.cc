// SPDX-License-Identifier: Apache-2.0
// Kernels of output stages: integer sums become quantized numbers, by the reference's two roundings
// or by one of a double, or floats.
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/integer_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/integer_kernels.h"
#include "cpu/simd/integer_tables.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {
#if TERN_SIMD

namespace hn = hwy::HWY_NAMESPACE;

// The products with the numbers of the even and of the odd lanes.
template <class D>
struct Multipliers {
  using V = hn::Vec<D>;
  V even, odd;

  HWY_INLINE Multipliers(D d, const int32_t* from)
      : even(hn::LoadU(d, from)), odd(OddLanes(even)) {}
  // In the even lanes.
  static HWY_INLINE V OddLanes(V v) { return hn::DupOdd(v); }
};

// (even, odd) >> 31, lane by lane, of products in 64 bits.
template <class D, class V64>
HWY_INLINE hn::Vec<D> HighParts(D d, V64 even, V64 odd) {
  const hn::Repartition<uint64_t, D> d64;
  return hn::OddEven(hn::BitCast(d, hn::Add(odd, odd)),
                     hn::BitCast(d, hn::ShiftRight<31>(hn::BitCast(d64, even))));
}

// One vector of channels, as Scale() of base/tensor/multiplier.h for multipliers that are not
// negative.
template <class D, bool any_left>
struct AnyChannels {
  using V = hn::Vec<D>;
  Multipliers<D> value;
  V left, right, mask, half, zero, low, high;

  HWY_INLINE AnyChannels(D d, const OutputStage& how, int64_t at)
      : value(d, how.arrays.value.data() + at) {
    left = hn::LoadU(d, how.arrays.left.data() + at);
    right = hn::LoadU(d, how.arrays.right.data() + at);
    mask = hn::Sub(hn::Set(d, 1) << right, hn::Set(d, 1));
    const hn::RebindToUnsigned<D> du;
    half = hn::BitCast(d, hn::ShiftRight<1>(hn::BitCast(du, mask)));
    zero = hn::Set(d, how.zero_point);
    low = hn::Set(d, how.range.min - how.zero_point);
    high = hn::Set(d, how.range.max - how.zero_point);
  }

  HWY_INLINE V operator()(D d, V sum) const {
    if constexpr (any_left) sum = sum << left;
    const hn::Repartition<int64_t, D> d64;
    const auto nudge = hn::Set(d64, int64_t{1} << 30);
    const auto even = hn::Add(hn::MulEven(sum, value.even), nudge);
    const auto odd = hn::Add(hn::MulEven(value.OddLanes(sum), value.odd), nudge);
    const V product = HighParts(d, even, odd);
    const V sign = hn::ShiftRight<31>(product);
    const auto up = hn::Gt(hn::And(product, mask), hn::Sub(half, sign));
    const V rounded = hn::Sub(product >> right, hn::VecFromMask(d, up));
    return hn::Add(hn::Min(hn::Max(rounded, low), high), zero);
  }
};

// The optimized kernel. The sign is the sum's, not the product's, which makes no difference: where
// they differ the product is 0. Bounds that are those of a signed type (not `bounded`) are left to
// the conversion to that type.
template <class D, bool bounded>
struct FastChannels {
  using V = hn::Vec<D>;
  using D64 = hn::Repartition<int64_t, D>;
  using V64 = hn::Vec<D64>;
  Multipliers<D> value;
  V right, low, high;
  V64 start_even, start_odd;

  HWY_INLINE FastChannels(D d, const OutputStage& how, int64_t at)
      : value(d, how.arrays.fast_value.data() + at),
        right(hn::LoadU(d, how.arrays.fast_right.data() + at)),
        low(hn::Set(d, how.range.min)),
        high(hn::Set(d, how.range.max)) {
    const V64 lower = hn::LoadU(D64(), how.arrays.fast_start.data() + at);
    const V64 upper = hn::LoadU(D64(), how.arrays.fast_start.data() + at + hn::Lanes(D64()));
    start_even = hn::ConcatEven(D64(), upper, lower);
    start_odd = hn::ConcatOdd(D64(), upper, lower);
  }

  static HWY_INLINE bool Exists(D, const OutputStage& how, int64_t at) {
    const D64 d64;
    const V64 none = hn::Set(d64, kNoFusedForm);
    const V64 lower = hn::LoadU(d64, how.arrays.fast_start.data() + at);
    const V64 upper = hn::LoadU(d64, how.arrays.fast_start.data() + at + hn::Lanes(d64));
    return hn::AllFalse(d64, hn::Or(hn::Eq(lower, none), hn::Eq(upper, none)));
  }

  HWY_INLINE V operator()(D d, V sum) const {
    const V64 even = hn::Add(hn::MulEven(sum, value.even), start_even);
    const V64 odd = hn::Add(hn::MulEven(value.OddLanes(sum), value.odd), start_odd);
    const V result = hn::Add(HighParts(d, even, odd), hn::ShiftRight<31>(sum)) >> right;
    return bounded ? hn::Min(hn::Max(result, low), high) : result;
  }
};

// One vector of channels, in double.
template <class D>
struct RealChannels {
  using V = hn::Vec<D>;
  using D64 = hn::Repartition<double, D>;
  using V64 = hn::Vec<D64>;
  using Half = hn::Half<D>;
  V64 first_factor, second_factor, low, high;
  V zero;

  HWY_INLINE RealChannels(D d, const OutputStage& how, int64_t at) {
    const D64 d64;
    if (how.per_column) {
      first_factor = hn::LoadU(d64, how.factors.data() + at);
      second_factor = hn::LoadU(d64, how.factors.data() + at + hn::Lanes(d64));
    } else {
      first_factor = second_factor = hn::Set(d64, how.factors[0]);
    }
    low = hn::Set(d64, how.range.min - how.zero_point);
    high = hn::Set(d64, how.range.max - how.zero_point);
    zero = hn::Set(d, how.zero_point);
  }

  // Cut off after the number below one half is added, which rounds as std::round does.
  HWY_INLINE hn::Vec<Half> Rounded(hn::Vec<Half> sum, V64 factor) const {
    const D64 d64;
    const V64 real = hn::Mul(hn::PromoteTo(d64, sum), factor);
    const V64 away = hn::Add(real, hn::CopySign(hn::Set(d64, 0.49999999999999994), real));
    return hn::DemoteTo(Half(), hn::Min(hn::Max(away, low), high));
  }

  HWY_INLINE V operator()(D d, V sum) const {
    const Half half;
    return hn::Add(hn::Combine(d, Rounded(hn::UpperHalf(half, sum), second_factor),
                               Rounded(hn::LowerHalf(half, sum), first_factor)),
                   zero);
  }
};

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
template <class T, class V>
HWY_INLINE __m128i NarrowBytes(V v) {
  return std::is_signed_v<T> ? _mm512_cvtsepi32_epi8(v.raw) : _mm512_cvtepi32_epi8(v.raw);
}
#endif

// Saturates where T has a sign; other numbers lie within T.
template <class T, class D>
HWY_INLINE void StoreNarrow(D, hn::Vec<D> v, T* to) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(T) == 1) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), NarrowBytes<T>(v));
    return;
  }
#endif
  const hn::Rebind<T, D> narrow;
  hn::StoreU(hn::DemoteTo(narrow, v), narrow, to);
}

// Fewer than a vector.
template <class T, class D>
HWY_INLINE void StoreSome(D d, hn::Vec<D> v, int64_t count, T* to) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(T) == 1) {
    const auto mask = static_cast<__mmask16>((1U << count) - 1);
    _mm_mask_storeu_epi8(to, mask, NarrowBytes<T>(v));
    return;
  }
#endif
  T some[hn::MaxLanes(d)];
  StoreNarrow(d, v, some);
  std::memcpy(to, some, static_cast<size_t>(count) * sizeof(T));
}

// A vector of channels of a block, from its channel `c` on.
template <class Channels, class T>
HWY_INLINE void StoreChannels(const OutputStage& how, const SumBlock<int32_t>& b, int64_t c,
                              T* out) {
  const hn::ScalableTag<int32_t> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const Channels channels(d, how, b.first_column + c);
  const int64_t count = std::min(lanes, b.columns - c);
  for (int64_t r = 0; r < b.rows; ++r) {
    const auto result = channels(d, hn::LoadU(d, b.sums + r * b.stride + c));
    T* to = out + r * how.columns + c;
    if (count == lanes) {
      StoreNarrow(d, result, to);
    } else {
      StoreSome(d, result, count, to);
    }
  }
}

template <bool bounded, class T>
void FixedPointBounded(const OutputStage& how, const SumBlock<int32_t>& b, T* out) {
  using D = hn::ScalableTag<int32_t>;
  using Fast = FastChannels<D, bounded>;
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t c = 0; c < b.columns; c += lanes) {
    if (Fast::Exists(d, how, b.first_column + c)) {
      StoreChannels<Fast>(how, b, c, out);
    } else if (how.arrays.any_left) {
      StoreChannels<AnyChannels<D, true>>(how, b, c, out);
    } else {
      StoreChannels<AnyChannels<D, false>>(how, b, c, out);
    }
  }
}

// Calls run(where the block begins in the output) with the type of the output.
template <class Run>
HWY_INLINE void AsType(const OutputStage& how, const SumBlock<int32_t>& b, const Run& run) {
  const int64_t at = how.spread.At(b.first_row) * how.columns + b.first_column;
  switch (how.type) {
    case IntegerType::kUInt8:
      return run(static_cast<uint8_t*>(how.output) + at);
    case IntegerType::kInt8:
      return run(static_cast<int8_t*>(how.output) + at);
    case IntegerType::kInt16:
      return run(static_cast<int16_t*>(how.output) + at);
  }
}

void FixedPoint(const OutputStage& how, const SumBlock<int32_t>& b) {
  AsType(how, b, [&](auto* out) {
    using T = std::remove_pointer_t<decltype(out)>;
    using Limits = std::numeric_limits<T>;
    if (std::is_unsigned_v<T> || how.range.min != Limits::min() || how.range.max != Limits::max()) {
      FixedPointBounded<true>(how, b, out);
    } else {
      FixedPointBounded<false>(how, b, out);
    }
  });
}

void Real(const OutputStage& how, const SumBlock<int32_t>& b) {
  using D = hn::ScalableTag<int32_t>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  AsType(how, b, [&](auto* out) {
    for (int64_t c = 0; c < b.columns; c += lanes) StoreChannels<RealChannels<D>>(how, b, c, out);
  });
}

void ToFloat(const OutputStage& how, const SumBlock<int32_t>& b) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto low = hn::Set(d, how.float_range.min), high = hn::Set(d, how.float_range.max);
  const auto row_scale = hn::Set(d, how.row_scales[b.first_row / how.scale_rows]);
  const int64_t first = b.first_column;
  float* out = static_cast<float*>(how.output) + how.spread.At(b.first_row) * how.columns + first;
  for (int64_t c = 0; c < b.columns; c += lanes) {
    const auto scale = hn::Mul(row_scale, hn::LoadU(d, how.scales + first + c));
    const auto bias = hn::LoadU(d, how.float_bias + first + c);
    const int64_t count = std::min(lanes, b.columns - c);
    for (int64_t r = 0; r < b.rows; ++r) {
      const auto sum = hn::ConvertTo(d, hn::LoadU(di, b.sums + r * b.stride + c));
      auto value = hn::Add(hn::Mul(sum, scale), bias);
      // NaN stays.
      value = hn::IfThenElse(hn::Lt(value, low), low, value);
      value = hn::IfThenElse(hn::Lt(high, value), high, value);
      float* to = out + r * how.columns + c;
      if (count == lanes) {
        hn::StoreU(value, d, to);
      } else {
        float some[hn::MaxLanes(d)];
        hn::StoreU(value, d, some);
        std::memcpy(to, some, static_cast<size_t>(count) * sizeof(float));
      }
    }
  }
}

bool RangeOfFloats(const float* values, int64_t count, float* low, float* high) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto largest = hn::Set(d, std::numeric_limits<float>::max());
  auto min = hn::Set(d, values[0]), max = min;
  auto finite = hn::Le(hn::Abs(min), largest);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto v = hn::LoadU(d, values + i);
    min = hn::Min(min, v);
    max = hn::Max(max, v);
    finite = hn::And(finite, hn::Le(hn::Abs(v), largest));
  }
  bool all_finite = hn::AllTrue(d, finite);
  *low = hn::GetLane(hn::MinOfLanes(d, min));
  *high = hn::GetLane(hn::MaxOfLanes(d, max));
  for (; i < count; ++i) {
    *low = std::min(*low, values[i]);
    *high = std::max(*high, values[i]);
    all_finite = all_finite && std::isfinite(values[i]);
  }
  return all_finite;
}

// As std::round.
template <class D, class V>
HWY_INLINE V Round(D d, V v) {
  const V whole = hn::Trunc(v);
  const V one = hn::CopySign(hn::Set(d, 1.0f), v);
  return hn::Add(whole,
                 hn::IfThenElseZero(hn::Ge(hn::Abs(hn::Sub(v, whole)), hn::Set(d, 0.5f)), one));
}

template <class T>
void QuantizeTo(const float* values, int64_t count, float factor, int32_t low, int32_t high,
                int32_t zero_point, T* to) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto factors = hn::Set(d, factor);
  const auto min = hn::Set(d, static_cast<float>(low));
  const auto max = hn::Set(d, static_cast<float>(high));
  const auto zero = hn::Set(di, zero_point);
  const auto quantized = [&](auto v) HWY_ATTR {
    const auto rounded = Round(d, hn::Mul(v, factors));
    return hn::Add(hn::ConvertTo(di, hn::Min(hn::Max(rounded, min), max)), zero);
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    StoreNarrow(di, quantized(hn::LoadU(d, values + i)), to + i);
  }
  if (i == count) return;
  float some[hn::MaxLanes(d)] = {};
  T results[hn::MaxLanes(d)];
  std::copy(values + i, values + count, some);
  StoreNarrow(di, quantized(hn::LoadU(d, some)), results);
  std::copy_n(results, count - i, to + i);
}

void Quantize(const float* values, int64_t count, float factor, int32_t low, int32_t high,
              int16_t* to) {
  QuantizeTo(values, count, factor, low, high, 0, to);
}
void QuantizeBytes(const float* values, int64_t count, float factor, int32_t low, int32_t high,
                   int32_t zero_point, int8_t* to) {
  QuantizeTo(values, count, factor, low, high, zero_point, to);
}

bool Fill(IntegerKernels& kernels) {
  kernels.float_range = &RangeOfFloats;
  kernels.quantize = &Quantize;
  kernels.quantize_bytes = &QuantizeBytes;
  kernels.fixed_point = &FixedPoint;
  kernels.real = &Real;
  kernels.to_float = &ToFloat;
  return true;
}

#else
bool Fill(IntegerKernels&) { return false; }
#endif  // TERN_SIMD
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {
namespace {
HWY_EXPORT(Fill);
}  // namespace

bool FillIntegerRows(IntegerKernels& kernels) { return TERN_DISPATCH(Fill)(kernels); }

}  // namespace tern

#endif  // HWY_ONCE
