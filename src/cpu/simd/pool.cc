// SPDX-License-Identifier: Apache-2.0
// Pooling with channels in the lanes of a vector. The channels left after whole vectors are
// computed in one vector together with channels before them, which are computed twice.
#include "cpu/pool.h"

#define TERN_NEEDS_NO_VNNI
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/pool.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "cpu/simd/clamp-inl.h"
#include "cpu/simd/tails-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {

#if TERN_SIMD

// combine(v) for each pixel's vector at channel c, of which n lanes count.
template <class D, class T, class Combine>
HWY_INLINE void ForEachPixel(D d, const PoolWindow<T>& w, int64_t c, int64_t n,
                             const Combine& combine) {
  const bool whole = n == static_cast<int64_t>(hn::Lanes(d));
  for (int64_t y = 0; y < w.rows; ++y) {
    const T* pixel = w.first + y * w.row_step + c;
    for (int64_t x = 0; x < w.columns; ++x, pixel += w.channels) {
      combine(whole ? hn::LoadU(d, pixel) : LoadTail(d, pixel, n));
    }
  }
}

// make(d, c, n) gives n channels from c on, for vectors of d or, for few channels, of `Short`.
template <class Short, class D, class T, class Make>
HWY_INLINE void ForChannels(D d, int64_t channels, T* out, const Make& make) {
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  if (channels >= n) {
    int64_t c = 0;
    for (; c + n <= channels; c += n) hn::StoreU(make(d, c, n), d, out + c);
    if (c < channels) hn::StoreU(make(d, channels - n, n), d, out + channels - n);
    return;
  }
  if constexpr (hn::MaxLanes(D()) > hn::MaxLanes(Short())) {
    return ForChannels<Short>(Short(), channels, out, make);
  }
  StoreTail(make(d, 0, channels), d, out, channels);
}

// ---- floats

// The first pixel's vector at channel c, of which n lanes count.
template <class D>
HWY_INLINE hn::Vec<D> FirstPixel(D d, const PoolWindow<float>& w, int64_t c, int64_t n) {
  const bool whole = n == static_cast<int64_t>(hn::Lanes(d));
  return whole ? hn::LoadU(d, w.first + c) : LoadTail(d, w.first + c, n);
}

template <PoolKind kind>
void FloatPool(const PoolWindow<float>& w, float* out, float low, float high) {
  using Short = hn::CappedTag<float, 4>;
  const float count = static_cast<float>(w.rows * w.columns);
  ForChannels<Short>(hn::ScalableTag<float>(), w.channels, out, [&](auto d, int64_t c, int64_t n) {
    constexpr bool kMax = kind == PoolKind::kMax;
    const auto lowest = hn::Set(d, -std::numeric_limits<float>::infinity());
    auto sum = kMax ? lowest : hn::Zero(d);
    ForEachPixel(d, w, c, n, [&](auto v) {
      if constexpr (kMax) {
        sum = hn::IfThenElse(hn::Lt(sum, v), v, sum);
      } else if constexpr (kind == PoolKind::kL2) {
        sum = hn::MulAdd(v, v, sum);
      } else {
        sum = hn::Add(sum, v);
      }
    });
    if constexpr (kMax) {
      sum = hn::IfThenElse(hn::Eq(sum, lowest), FirstPixel(d, w, c, n), sum);
    } else {
      sum = hn::Div(sum, hn::Set(d, count));
    }
    if constexpr (kind == PoolKind::kL2) sum = hn::Sqrt(sum);
    return Between(hn::Set(d, low), hn::Set(d, high), sum);
  });
}

PoolKernel<float, float> Floats(PoolKind kind) {
  switch (kind) {
    case PoolKind::kAverage:
      return &FloatPool<PoolKind::kAverage>;
    case PoolKind::kMax:
      return &FloatPool<PoolKind::kMax>;
    case PoolKind::kL2:
      return &FloatPool<PoolKind::kL2>;
  }
  return nullptr;
}

// ---- bytes

template <class T>
void ByteMax(const PoolWindow<T>& w, T* out, int32_t low, int32_t high) {
  using Short = hn::CappedTag<T, 16>;
  ForChannels<Short>(hn::ScalableTag<T>(), w.channels, out, [&](auto d, int64_t c, int64_t n) {
    auto max = hn::Set(d, static_cast<T>(low));
    ForEachPixel(d, w, c, n, [&](auto v) { max = hn::Max(max, v); });
    return hn::Min(max, hn::Set(d, static_cast<T>(high)));
  });
}

// Sums and the division are exact in float: see kMaxPooledBytes.
template <class T>
void ByteAverage(const PoolWindow<T>& w, T* out, int32_t low, int32_t high) {
  using D = hn::Rebind<T, hn::ScalableTag<int32_t>>;
  using Short = hn::CappedTag<T, 4>;
  const auto count = static_cast<int32_t>(w.rows * w.columns);
  ForChannels<Short>(D(), w.channels, out, [&](auto d, int64_t c, int64_t n) {
    const hn::Rebind<int32_t, decltype(d)> d32;
    const hn::Rebind<float, decltype(d)> df;
    auto sum = hn::Zero(d32);
    ForEachPixel(d, w, c, n, [&](auto v) { sum = hn::Add(sum, hn::PromoteTo(d32, v)); });
    const auto half = hn::Set(d32, count / 2);
    const auto nudged =
        hn::IfThenElse(hn::Gt(sum, hn::Zero(d32)), hn::Add(sum, half), hn::Sub(sum, half));
    const auto mean = hn::Div(hn::ConvertTo(df, nudged), hn::Set(df, static_cast<float>(count)));
    const auto limited =
        hn::Min(hn::Max(hn::ConvertTo(d32, mean), hn::Set(d32, low)), hn::Set(d32, high));
    return hn::DemoteTo(d, limited);
  });
}

template <class T>
PoolKernel<T, int32_t> Bytes(PoolKind kind) {
  switch (kind) {
    case PoolKind::kAverage:
      return &ByteAverage<T>;
    case PoolKind::kMax:
      return &ByteMax<T>;
    case PoolKind::kL2:
      break;
  }
  return nullptr;
}
PoolKernel<int8_t, int32_t> SignedBytes(PoolKind kind) { return Bytes<int8_t>(kind); }
PoolKernel<uint8_t, int32_t> UnsignedBytes(PoolKind kind) { return Bytes<uint8_t>(kind); }

#else

PoolKernel<float, float> Floats(PoolKind) { return nullptr; }
PoolKernel<int8_t, int32_t> SignedBytes(PoolKind) { return nullptr; }
PoolKernel<uint8_t, int32_t> UnsignedBytes(PoolKind) { return nullptr; }

#endif  // TERN_SIMD

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(Floats);
HWY_EXPORT(SignedBytes);
HWY_EXPORT(UnsignedBytes);

PoolKernel<float, float> FastFloatPool(PoolKind kind) {
  return TERN_OPTIMIZED_KERNEL(Floats, kind);
}
PoolKernel<int8_t, int32_t> FastSignedPool(PoolKind kind) {
  return TERN_OPTIMIZED_KERNEL(SignedBytes, kind);
}
PoolKernel<uint8_t, int32_t> FastUnsignedPool(PoolKind kind) {
  return TERN_OPTIMIZED_KERNEL(UnsignedBytes, kind);
}

}  // namespace tern

#endif  // HWY_ONCE
