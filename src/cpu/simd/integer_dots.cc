// SPDX-License-Identifier: Apache-2.0
// Sums of products straight from where the numbers lie: depthwise convolutions, and rows times
// weights that are not packed.
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/integer_dots.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "cpu/integer_kernels.h"
#include "cpu/simd/integer_tables.h"
#include "cpu/simd/multiply_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {
#if TERN_SIMD

// ---- depthwise: one product per lane

// 16-bit weights without sign, so that the upper half of a lane, which holds the sign of the
// activation, counts nothing.
template <class D>
HWY_INLINE hn::Vec<D> LoadWeights(D d, const int16_t* from) {
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<uint16_t, D> d16;
  return hn::BitCast(d, hn::PromoteTo(du, hn::LoadU(d16, reinterpret_cast<const uint16_t*>(from))));
}

template <class D, class T>
HWY_INLINE hn::Vec<D> LoadActivations(D d, const T* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), from));
}

template <class D>
HWY_INLINE hn::Vec<D> AddProduct(D d, hn::Vec<D> a, hn::Vec<D> w, hn::Vec<D> sum) {
  const hn::Repartition<int16_t, D> d16;
  return AddPairs(d, hn::BitCast(d16, a), hn::BitCast(d16, w), sum);
}

// `vectors` vectors of channels from `at` on, of `count` pixels from `first` on.
template <class T, class D, int count, int vectors>
HWY_INLINE void DepthwiseBlock(D d, const IntegerDepthwisePixels& p, int64_t first, int64_t at) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<D> sums[count][vectors];
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) sums[i][v] = hn::LoadU(d, p.column + at + v * lanes);
  }
  const void* const* taps = p.taps + first * p.tap_count;
  const int16_t* w = p.weights + at;
  for (int64_t tap = 0; tap < p.tap_count; ++tap, w += p.weight_stride) {
    hn::Vec<D> weights[vectors];
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) weights[v] = LoadWeights(d, w + v * lanes);
#pragma GCC unroll 16
    for (int i = 0; i < count; ++i) {
      const T* x = static_cast<const T*>(taps[i * p.tap_count + tap]) + at;
#pragma GCC unroll 16
      for (int v = 0; v < vectors; ++v) {
        sums[i][v] = AddProduct(d, LoadActivations(d, x + v * lanes), weights[v], sums[i][v]);
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) {
      hn::StoreU(sums[i][v], d, p.sums + (first + i) * p.sum_stride + at + v * lanes);
    }
  }
}

template <class T, class D, int count>
HWY_INLINE void DepthwiseChannels(D d, const IntegerDepthwisePixels& p, int64_t first) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t at = 0;
  for (; at + 2 * lanes <= p.channels; at += 2 * lanes) {
    DepthwiseBlock<T, D, count, 2>(d, p, first, at);
  }
  for (; at + lanes <= p.channels; at += lanes) DepthwiseBlock<T, D, count, 1>(d, p, first, at);
  // The last vector overlaps the one before it.
  if (at < p.channels) DepthwiseBlock<T, D, count, 1>(d, p, first, p.channels - lanes);
}

template <class T, class D>
void DepthwiseWith(D d, const IntegerDepthwisePixels& p) {
  int64_t first = 0;
  for (; first + 4 <= p.pixels; first += 4) DepthwiseChannels<T, D, 4>(d, p, first);
  switch (p.pixels - first) {
    case 3:
      return DepthwiseChannels<T, D, 3>(d, p, first);
    case 2:
      return DepthwiseChannels<T, D, 2>(d, p, first);
    case 1:
      return DepthwiseChannels<T, D, 1>(d, p, first);
    default:
      return;
  }
}

// Fewer channels than the smallest vector.
template <class T>
void DepthwiseFew(const IntegerDepthwisePixels& p) {
  for (int64_t i = 0; i < p.pixels; ++i) {
    const void* const* taps = p.taps + i * p.tap_count;
    uint32_t sums[8];
    for (int64_t c = 0; c < p.channels; ++c) sums[c] = static_cast<uint32_t>(p.column[c]);
    const int16_t* w = p.weights;
    for (int64_t tap = 0; tap < p.tap_count; ++tap, w += p.weight_stride) {
      const T* x = static_cast<const T*>(taps[tap]);
      for (int64_t c = 0; c < p.channels; ++c) {
        sums[c] += static_cast<uint32_t>(int32_t{x[c]} * int32_t{w[c]});
      }
    }
    for (int64_t c = 0; c < p.channels; ++c) {
      p.sums[i * p.sum_stride + c] = static_cast<int32_t>(sums[c]);
    }
  }
}

template <class T>
void DepthwiseAs(const IntegerDepthwisePixels& p) {
  const hn::ScalableTag<int32_t> d;
  const hn::CappedTag<int32_t, 8> d8;
  const hn::CappedTag<int32_t, 4> d4;
  if (p.channels >= static_cast<int64_t>(hn::Lanes(d))) return DepthwiseWith<T>(d, p);
  if (p.channels >= static_cast<int64_t>(hn::Lanes(d8))) return DepthwiseWith<T>(d8, p);
  if (p.channels >= static_cast<int64_t>(hn::Lanes(d4))) return DepthwiseWith<T>(d4, p);
  DepthwiseFew<T>(p);
}

void Depthwise(IntegerType type, const IntegerDepthwisePixels& pixels) {
  switch (type) {
    case IntegerType::kUInt8:
      return DepthwiseAs<uint8_t>(pixels);
    case IntegerType::kInt8:
      return DepthwiseAs<int8_t>(pixels);
    case IntegerType::kInt16:
      return DepthwiseAs<int16_t>(pixels);
  }
}

// ---- rows times weights as they lie

using D32 = hn::ScalableTag<int32_t>;
using V32 = hn::Vec<D32>;
using D16 = hn::Repartition<int16_t, D32>;
using V16 = hn::Vec<D16>;

HWY_INLINE int64_t Total(V32 sums) {
  const hn::RepartitionToWide<D32> d64;
  const hn::Half<D32> half;
  const auto wide = hn::Add(hn::PromoteTo(d64, hn::LowerHalf(half, sums)),
                            hn::PromoteTo(d64, hn::UpperHalf(half, sums)));
  return hn::GetLane(hn::SumOfLanes(d64, wide));
}

// Sums of 32 bits that do not wrap for rows of at most that depth: products lie below 2^23.
constexpr int64_t kShortDepth = 255;

// Every block of four lanes becomes one.
template <class D>
HWY_INLINE auto SumOfBlocks(D, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    return SumOfBlocks(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    return v;
  }
}

HWY_INLINE V32 PairSums(V32 a, V32 b) {
  return hn::Add(hn::InterleaveLower(D32(), a, b), hn::InterleaveUpper(D32(), a, b));
}

// The sums of the lanes of four vectors.
HWY_INLINE void StoreFourTotals(const V32* sums, int32_t* to) {
  const D32 d;
  const hn::Repartition<int64_t, D32> d64;
  const auto ab = hn::BitCast(d64, PairSums(sums[0], sums[1]));
  const auto cd = hn::BitCast(d64, PairSums(sums[2], sums[3]));
  const V32 all = hn::Add(hn::BitCast(d, hn::InterleaveLower(d64, ab, cd)),
                          hn::BitCast(d, hn::InterleaveUpper(d64, ab, cd)));
  hn::StoreU(SumOfBlocks(d, all), hn::FixedTag<int32_t, 4>(), to);
}
HWY_INLINE void StoreShortTotals(const V32* sums, int64_t* to) {
  int32_t totals[4];
  StoreFourTotals(sums, totals);
  std::copy_n(totals, 4, to);
}

template <class W>
HWY_INLINE V16 LoadWide(const W* from) {
  return hn::PromoteTo(D16(), hn::LoadU(hn::Rebind<W, D16>(), from));
}

struct DotSizes {
  int64_t depth, sum_stride;
};

// The last numbers of a row, those before `rest` of them being zero.
HWY_INLINE V16 LoadRest(const int16_t* end, int64_t rest) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(D16()));
  const auto others = hn::FirstN(D16(), static_cast<size_t>(lanes - rest));
  return hn::IfThenZeroElse(others, hn::LoadU(D16(), end - lanes));
}

// `rows` rows times `units` units; a row fills a vector at least.
template <class W, int rows, int units>
HWY_INLINE void DotBlock(const int16_t* a, const W* w, const DotSizes& s, int64_t* to) {
  const D32 d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(D16()));
  // A lane holds the products of that many pairs and of one more, of at most 2^24 each.
  const int64_t block = 119 * lanes;
  int64_t totals[rows][units] = {};
  for (int64_t begin = 0; begin < s.depth; begin += block) {
    const int64_t end = std::min(s.depth, begin + block);
    V32 sums[rows][units];
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
      for (int u = 0; u < units; ++u) sums[r][u] = hn::Zero(d);
    }
    const auto step = [&](const V16* x, int64_t i) HWY_ATTR {
#pragma GCC unroll 16
      for (int u = 0; u < units; ++u) {
        const V16 weights = LoadWide(w + u * s.depth + i);
#pragma GCC unroll 16
        for (int r = 0; r < rows; ++r) sums[r][u] = AddPairs(d, x[r], weights, sums[r][u]);
      }
    };
    int64_t i = begin;
    V16 x[rows];
    for (; i + lanes <= end; i += lanes) {
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) x[r] = hn::LoadU(D16(), a + r * s.depth + i);
      step(x, i);
    }
    // Once more the last numbers of the row, as zeros where they are summed already.
    if (i < end) {
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) x[r] = LoadRest(a + r * s.depth + end, end - i);
      step(x, end - lanes);
    }
    if (units == 4 && s.depth <= kShortDepth) {
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) StoreShortTotals(sums[r], to + r * s.sum_stride);
      return;
    }
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
      for (int u = 0; u < units; ++u) totals[r][u] += Total(sums[r][u]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int u = 0; u < units; ++u) to[r * s.sum_stride + u] = totals[r][u];
  }
}

template <class W, int units>
void DotUnits(const int16_t* a, int64_t rows, const W* w, const DotSizes& s, int64_t* to) {
  int64_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    DotBlock<W, 4, units>(a + r * s.depth, w, s, to + r * s.sum_stride);
  }
  for (; r < rows; ++r) DotBlock<W, 1, units>(a + r * s.depth, w, s, to + r * s.sum_stride);
}

// Four units' weights, `depth` apart; vectors of them go on into the units after.
template <class W>
HWY_INLINE void FourShortDots(V16 row, const W* w, int64_t depth, int64_t* to) {
  const D32 d;
  V32 sums[4];
#pragma GCC unroll 16
  for (int u = 0; u < 4; ++u) sums[u] = AddPairs(d, row, LoadWide(w + u * depth), hn::Zero(d));
  StoreShortTotals(sums, to);
}

// A row shorter than a vector.
template <class W>
void ShortDots(const int16_t* a, const W* w, int64_t units, int64_t depth, int64_t* to) {
  constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(D16()));
  int16_t padded[kLanes] = {};
  std::copy_n(a, depth, padded);
  const V16 row = hn::LoadU(D16(), padded);
  int64_t u = 0;
  for (; (u + 3) * depth + kLanes <= units * depth; u += 4) {
    FourShortDots(row, w + u * depth, depth, to + u);
  }
  // After the last units nothing may be read.
  W rest[8 * kLanes] = {};
  std::copy_n(w + u * depth, (units - u) * depth, rest);
  for (const W* from = rest; u < units; u += 4, from += 4 * depth) {
    int64_t sums[4];
    FourShortDots(row, from, depth, sums);
    std::copy_n(sums, std::min<int64_t>(4, units - u), to + u);
  }
}

template <class W>
void DotsWith(const int16_t* a, int64_t rows, const W* w, int64_t units, const DotSizes& s,
              int64_t* to) {
  if (s.depth < static_cast<int64_t>(hn::Lanes(D16()))) {
    for (int64_t r = 0; r < rows; ++r) {
      ShortDots(a + r * s.depth, w, units, s.depth, to + r * s.sum_stride);
    }
    return;
  }
  int64_t u = 0;
  for (; u + 4 <= units; u += 4) DotUnits<W, 4>(a, rows, w + u * s.depth, s, to + u);
  for (; u < units; ++u) DotUnits<W, 1>(a, rows, w + u * s.depth, s, to + u);
}

void Dots(const int16_t* a, int64_t rows, const void* weights, bool unsigned_weights, int64_t units,
          int64_t depth, int64_t* sums, int64_t sum_stride) {
  const DotSizes sizes = {depth, sum_stride};
  if (unsigned_weights) {
    DotsWith(a, rows, static_cast<const uint8_t*>(weights), units, sizes, sums);
  } else {
    DotsWith(a, rows, static_cast<const int8_t*>(weights), units, sizes, sums);
  }
}

// ---- a row of bytes times weights as they lie

#if HWY_TARGET == HWY_AVX3_DL
// The instruction takes one side without sign: the sum of (x + 128) * w, less that of
// (zero point + 128) * w.
struct ByteSums {
  V32 all[4], less[4];
  V32 zero;

  explicit HWY_INLINE ByteSums(V32 zero_bytes) : zero(zero_bytes) {
#pragma GCC unroll 16
    for (int u = 0; u < 4; ++u) all[u] = less[u] = hn::Zero(D32());
  }
  // 64 numbers of the row, or those of `mask`, and of four units that are `step` apart.
  HWY_INLINE void Add(const int8_t* x, const int8_t* w, int64_t step, __mmask64 mask) {
    const V32 row = hn::Xor(V32{_mm512_maskz_loadu_epi8(mask, x)}, V32{_mm512_set1_epi8(-128)});
#pragma GCC unroll 16
    for (int u = 0; u < 4; ++u) {
      const __m512i weights = _mm512_maskz_loadu_epi8(mask, w + u * step);
      all[u] = AddFours(row, weights, all[u]);
      less[u] = AddFours(zero, weights, less[u]);
    }
  }
  HWY_INLINE void Store(int32_t* to) {
#pragma GCC unroll 16
    for (int u = 0; u < 4; ++u) all[u] = hn::Sub(all[u], less[u]);
    StoreFourTotals(all, to);
  }
};

HWY_INLINE void FourByteDots(const int8_t* x, V32 zero, const int8_t* w, int64_t depth,
                             int64_t step, int32_t* sums) {
  ByteSums block(zero);
  int64_t i = 0;
  for (; i + 64 <= depth; i += 64) block.Add(x + i, w + i, step, ~uint64_t{0});
  if (i < depth) block.Add(x + i, w + i, step, (uint64_t{1} << (depth - i)) - 1);
  block.Store(sums);
}

void ByteDots(const int8_t* x, int32_t zero_point, const int8_t* w, int64_t units, int64_t depth,
              int32_t* sums) {
  const V32 zero{_mm512_set1_epi8(static_cast<char>(zero_point + 128))};
  int64_t u = 0;
  for (; u + 4 <= units; u += 4) FourByteDots(x, zero, w + u * depth, depth, depth, sums + u);
  for (; u < units; ++u) {
    int32_t same[4];
    FourByteDots(x, zero, w + u * depth, depth, 0, same);
    sums[u] = same[0];
  }
}
#endif

bool Fill(IntegerKernels& kernels) {
  kernels.depthwise = &Depthwise;
  kernels.dots = &Dots;
#if HWY_TARGET == HWY_AVX3_DL
  kernels.byte_dots = &ByteDots;
#endif
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

bool FillIntegerDots(IntegerKernels& kernels) { return TERN_DISPATCH(Fill)(kernels); }

}  // namespace tern

#endif  // HWY_ONCE
