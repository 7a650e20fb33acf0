// SPDX-License-Identifier: Apache-2.0
// Tiles of a float matrix product, held whole in registers: per step of the depth one vector of
// each panel column block and one broadcast number of each row.
#include "cpu/float_gemm.h"

#define TERN_NEEDS_NO_VNNI
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/float_gemm.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>

#include "cpu/simd/clamp-inl.h"
#include "cpu/simd/tails-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {

#if TERN_SIMD

namespace hn = hwy::HWY_NAMESPACE;
using Full = hn::ScalableTag<float>;
using Half = hn::CappedTag<float, HWY_LANES(float) / 2>;
template <class D>
constexpr int kLanesOf = static_cast<int>(hn::MaxLanes(D()));

template <class D, int kRows, int kVectors>
HWY_NOINLINE void Compute(const FloatTile& t) {
  using V = hn::Vec<D>;
  constexpr int kLanes = kLanesOf<D>;
  const D d;
  V sums[kRows * kVectors];
#pragma GCC unroll 16
  for (int n = 0; n < kVectors; ++n) {
    const V bias = hn::LoadU(d, t.panel + n * kLanes);
#pragma GCC unroll 16
    for (int m = 0; m < kRows; ++m) sums[m * kVectors + n] = bias;
  }
  const float* b = t.panel + kVectors * kLanes;
  for (int64_t s = 0; s < t.segments; ++s) {
    const float* rows[kRows];
#pragma GCC unroll 16
    for (int m = 0; m < kRows; ++m) {
      rows[m] = t.a + s * t.segment_stride + m * t.a_stride;
      // A few rows have a register each; GCC may derive them from each other at every step.
      if constexpr (kRows <= 6) asm("" : "+r"(rows[m]));
    }
    for (int64_t k = 0; k < t.depth; ++k, b += kVectors * kLanes) {
      V columns[kVectors];
#pragma GCC unroll 16
      for (int n = 0; n < kVectors; ++n) columns[n] = hn::LoadU(d, b + n * kLanes);
#pragma GCC unroll 16
      for (int m = 0; m < kRows; ++m) {
        const V a = hn::Set(d, rows[m][k]);
#pragma GCC unroll 16
        for (int n = 0; n < kVectors; ++n) {
          sums[m * kVectors + n] = hn::MulAdd(a, columns[n], sums[m * kVectors + n]);
        }
      }
    }
  }
  const V min = hn::Set(d, t.min), max = hn::Set(d, t.max);
  if (t.columns == kVectors * kLanes) {
#pragma GCC unroll 16
    for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 16
      for (int n = 0; n < kVectors; ++n) {
        const V clamped = Between(min, max, sums[m * kVectors + n]);
        hn::StoreU(clamped, d, t.c + m * t.c_stride + n * kLanes);
      }
    }
    return;
  }
  HWY_ALIGN float row[kVectors * kLanes];
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 16
    for (int n = 0; n < kVectors; ++n) {
      hn::Store(Between(min, max, sums[m * kVectors + n]), d, row + n * kLanes);
    }
    std::memcpy(t.c + m * t.c_stride, row, static_cast<size_t>(t.columns) * sizeof(float));
  }
}

using Function = void (*)(const FloatTile&);

template <class D, int kVectors, class Sequence>
struct Functions;
template <class D, int kVectors, int... kRow>
struct Functions<D, kVectors, std::integer_sequence<int, kRow...> > {
  static constexpr Function kAll[] = {&Compute<D, kRow + 1, kVectors>...};
};

template <class D, int kRows, int kVectors>
constexpr FloatPanelKernels Panel() {
  return {kVectors * kLanesOf<D>, kRows,
          Functions<D, kVectors, std::make_integer_sequence<int, kRows> >::kAll};
}

// As many sums as there are registers, less those for a row of the panel and a broadcast.
#if HWY_TARGET == HWY_AVX2
constexpr FloatPanelKernels kPanels[] = {Panel<Full, 6, 2>(), Panel<Full, 12, 1>(),
                                         Panel<Half, 12, 1>()};
#else
constexpr FloatPanelKernels kPanels[] = {Panel<Full, 6, 4>(), Panel<Full, 14, 2>(),
                                         Panel<Full, 14, 1>(), Panel<Half, 14, 1>()};
#endif

// Four rows of b at a time, two vectors of each.
void Dots(const float* a, const float* b, int64_t b_stride, int64_t depth, int64_t count,
          float* out) {
  using V = hn::Vec<Full>;
  constexpr int kLanes = kLanesOf<Full>;
  const Full d;
  constexpr int kBlock = 4;
  int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    const float* rows[kBlock];
    V sums[kBlock * 2];
#pragma GCC unroll 16
    for (int r = 0; r < kBlock; ++r) {
      rows[r] = b + (i + r) * b_stride;
      sums[2 * r] = sums[2 * r + 1] = hn::Zero(d);
    }
    int64_t k = 0;
    for (; k + 2 * kLanes <= depth; k += 2 * kLanes) {
      const V low = hn::LoadU(d, a + k), high = hn::LoadU(d, a + k + kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kBlock; ++r) {
        sums[2 * r] = hn::MulAdd(low, hn::LoadU(d, rows[r] + k), sums[2 * r]);
        sums[2 * r + 1] = hn::MulAdd(high, hn::LoadU(d, rows[r] + k + kLanes), sums[2 * r + 1]);
      }
    }
    const auto add_one = [&](V x, int64_t left) {
#pragma GCC unroll 16
      for (int r = 0; r < kBlock; ++r) {
        const float* at = rows[r] + k;
        sums[2 * r] =
            hn::MulAdd(x, left >= kLanes ? hn::LoadU(d, at) : LoadTail(d, at, left), sums[2 * r]);
      }
    };
    if (k + kLanes <= depth) {
      add_one(hn::LoadU(d, a + k), kLanes);
      k += kLanes;
    }
    if (k < depth) add_one(LoadTail(d, a + k, depth - k), depth - k);
#pragma GCC unroll 16
    for (int r = 0; r < kBlock; ++r) {
      out[i + r] = hn::GetLane(hn::SumOfLanes(d, hn::Add(sums[2 * r], sums[2 * r + 1])));
    }
  }
  for (; i < count; ++i) {
    const float* row = b + i * b_stride;
    V sum = hn::Zero(d);
    int64_t k = 0;
    for (; k + kLanes <= depth; k += kLanes) {
      sum = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, row + k), sum);
    }
    if (k < depth) {
      sum = hn::MulAdd(LoadTail(d, a + k, depth - k), LoadTail(d, row + k, depth - k), sum);
    }
    out[i] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

constexpr FloatGemm kGemm = {kPanels, static_cast<int>(std::size(kPanels)), &Dots};
const FloatGemm* Table() { return &kGemm; }

#else

const FloatGemm* Table() { return nullptr; }

#endif  // TERN_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(Table);

const FloatGemm* GetFloatGemm() { return TERN_OPTIMIZED_KERNEL(Table); }

}  // namespace tern

#endif  // HWY_ONCE
