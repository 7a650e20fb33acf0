// SPDX-License-Identifier: Apache-2.0
// What integer sums become: quantized numbers, by the reference's two roundings, or floats.
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/integer_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "cpu/integer_kernels.h"
#include "cpu/simd/integer_tables.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {
#if TERN_SIMD

namespace hn = hwy::HWY_NAMESPACE;

// The numbers of one vector of channels.
template <class D>
struct Channels {
  using V = hn::Vec<D>;
  V value, value_odd, left, right, mask, half, zero, low, high;

  HWY_INLINE Channels(D d, const Requantization& how, int64_t at) {
    const hn::Repartition<uint64_t, D> d64;
    value = hn::LoadU(d, how.value + at);
    value_odd = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, value)));
    left = hn::LoadU(d, how.left + at);
    right = hn::LoadU(d, how.right + at);
    mask = hn::Sub(hn::Set(d, 1) << right, hn::Set(d, 1));
    const hn::RebindToUnsigned<D> du;
    half = hn::BitCast(d, hn::ShiftRight<1>(hn::BitCast(du, mask)));
    zero = hn::Set(d, how.zero_point);
    low = hn::Set(d, how.low - how.zero_point);
    high = hn::Set(d, how.high - how.zero_point);
  }

  // As Scale() of ops/quantized.h for multipliers that are not negative.
  template <bool any_left>
  HWY_INLINE V Scaled(D d, V sum) const {
    const hn::Repartition<uint64_t, D> d64;
    const hn::Repartition<int64_t, D> di64;
    if constexpr (any_left) sum = sum << left;
    const auto nudge = hn::Set(di64, int64_t{1} << 30);
    const auto even = hn::Add(hn::MulEven(sum, value), nudge);
    const V upper = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, sum)));
    const auto odd = hn::Add(hn::MulEven(upper, value_odd), nudge);
    const V product =
        hn::OddEven(hn::BitCast(d, hn::Add(odd, odd)),
                    hn::BitCast(d, hn::ShiftRight<31>(hn::BitCast(d64, even))));
    const V sign = hn::ShiftRight<31>(product);
    const auto up = hn::Gt(hn::And(product, mask), hn::Sub(half, sign));
    const V rounded = hn::Sub(product >> right, hn::VecFromMask(d, up));
    return hn::Add(hn::Min(hn::Max(rounded, low), high), zero);
  }
};

template <class T, bool any_left>
void RequantizeAs(const int32_t* sums, int64_t sum_stride, int64_t rows, int64_t units,
                  const Requantization& how, T* out, int64_t out_stride) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<T, decltype(d)> narrow;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t c = 0; c < units; c += lanes) {
    const Channels<decltype(d)> channels(d, how, c);
    const int64_t count = std::min(lanes, units - c);
    for (int64_t r = 0; r < rows; ++r) {
      const auto sum = hn::LoadU(d, sums + r * sum_stride + c);
      const auto result = hn::DemoteTo(narrow, channels.template Scaled<any_left>(d, sum));
      T* to = out + r * out_stride + c;
      if (count == lanes) {
        hn::StoreU(result, narrow, to);
      } else {
        T some[hn::MaxLanes(d)];
        hn::StoreU(result, narrow, some);
        std::memcpy(to, some, static_cast<size_t>(count) * sizeof(T));
      }
    }
  }
}

template <class T>
void RequantizeAs(const int32_t* sums, int64_t sum_stride, int64_t rows, int64_t units,
                  const Requantization& how, void* out, int64_t out_stride) {
  auto* to = static_cast<T*>(out);
  if (how.any_left) {
    RequantizeAs<T, true>(sums, sum_stride, rows, units, how, to, out_stride);
  } else {
    RequantizeAs<T, false>(sums, sum_stride, rows, units, how, to, out_stride);
  }
}

void Requantize(const int32_t* sums, int64_t sum_stride, int64_t rows, int64_t units,
                const Requantization& how, IntegerType type, void* out, int64_t out_stride) {
  switch (type) {
    case IntegerType::kUInt8:
      return RequantizeAs<uint8_t>(sums, sum_stride, rows, units, how, out, out_stride);
    case IntegerType::kInt8:
      return RequantizeAs<int8_t>(sums, sum_stride, rows, units, how, out, out_stride);
    case IntegerType::kInt16:
      return RequantizeAs<int16_t>(sums, sum_stride, rows, units, how, out, out_stride);
  }
}

void Dequantize(const int32_t* sums, int64_t sum_stride, int64_t rows, int64_t units,
                const HybridScale& how, const float* row_scale, float* out, int64_t out_stride) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto low = hn::Set(d, how.low), high = hn::Set(d, how.high);
  for (int64_t c = 0; c < units; c += lanes) {
    const auto channel_scale = hn::LoadU(d, how.channel_scale + c);
    const auto bias = hn::LoadU(d, how.bias + c);
    const int64_t count = std::min(lanes, units - c);
    for (int64_t r = 0; r < rows; ++r) {
      const auto sum = hn::ConvertTo(d, hn::LoadU(di, sums + r * sum_stride + c));
      const auto scale = hn::Mul(hn::Set(d, row_scale[r]), channel_scale);
      auto value = hn::Add(hn::Mul(sum, scale), bias);
      // NaN stays.
      value = hn::IfThenElse(hn::Lt(value, low), low, value);
      value = hn::IfThenElse(hn::Lt(high, value), high, value);
      float* to = out + r * out_stride + c;
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

bool Fill(IntegerKernels& kernels) {
  kernels.requantize = &Requantize;
  kernels.dequantize = &Dequantize;
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

namespace tern {
namespace {
HWY_EXPORT(Fill);
}  // namespace

bool FillIntegerRows(IntegerKernels& kernels) { return HWY_DYNAMIC_DISPATCH(Fill)(kernels); }

}  // namespace tern

#endif  // HWY_ONCE
