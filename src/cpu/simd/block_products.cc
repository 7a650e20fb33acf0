// SPDX-License-Identifier: Apache-2.0
// Products with weights of 4 bits by block. A vector holds four bytes of each unit of a panel; a
// row of activations is the same to all of them.
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/block_products.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "cpu/block_kernel.h"
#include "cpu/simd/multiply_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {
#if TERN_SIMD

using D32 = hn::ScalableTag<int32_t>;
using V32 = hn::Vec<D32>;
using D16 = hn::Repartition<int16_t, D32>;
using V16 = hn::Vec<D16>;
using D8 = hn::Repartition<uint8_t, D32>;
using V8 = hn::Vec<D8>;
using DF = hn::RebindToFloat<D32>;
using VF = hn::Vec<DF>;

// Four activations, the same in every lane.
HWY_INLINE V32 LoadFour(const int8_t* from) {
  int32_t four;
  std::memcpy(&four, from, sizeof four);
  return hn::Set(D32(), four);
}

#if HWY_TARGET == HWY_AVX3_DL
// Sums of steps, of which there may be any number.
struct StepSums {
  V32 sums;

  HWY_INLINE StepSums() : sums(hn::Zero(D32())) {}
  HWY_INLINE void Add(V8 weights, V32 x) {
    sums = AddFours(hn::BitCast(D32(), weights), x.raw, sums);
  }
  HWY_INLINE V32 AddTo(V32 total) const { return hn::Add(total, sums); }
};
#else
// The products of four bytes, without sign and with one, in pairs.
HWY_INLINE V16 PairProducts(V8 weights, V32 x) {
#if HWY_ARCH_ARM_A64
  const int8x16_t w = vreinterpretq_s8_u8(weights.raw), a = vreinterpretq_s8_s32(x.raw);
  return V16(vpaddq_s16(vmull_s8(vget_low_s8(w), vget_low_s8(a)), vmull_high_s8(w, a)));
#elif HWY_TARGET == HWY_AVX3
  return V16{_mm512_maddubs_epi16(weights.raw, x.raw)};
#else
  return V16{_mm256_maddubs_epi16(weights.raw, x.raw)};
#endif
}

// Sums of kSteps steps at most: a pair of products is at most 2 * 15 * 128, and a step has two
// pairs for each lane of 16 bits.
struct StepSums {
  V16 pairs;

  HWY_INLINE StepSums() : pairs(hn::Zero(D16())) {}
  HWY_INLINE void Add(V8 weights, V32 x) { pairs = hn::Add(pairs, PairProducts(weights, x)); }
  HWY_INLINE V32 AddTo(V32 total) const { return AddPairs(D32(), pairs, hn::Set(D16(), 1), total); }
};
#endif
constexpr int64_t kSteps = 4;

template <int rows>
HWY_INLINE void Steps(int64_t steps, const int8_t* const* x, const uint8_t* panel, V32* sums) {
  const D8 d;
  const auto low_half = hn::Set(d, 15);
  StepSums some[rows];
  for (int64_t i = 0; i < steps; ++i) {
    const V8 both = hn::LoadU(d, panel + i * static_cast<int64_t>(hn::Lanes(d)));
    const V8 even = hn::And(both, low_half);
    const V8 odd = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(D16(), both))), low_half);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      some[r].Add(even, LoadFour(x[r] + i * kBlockStep));
      some[r].Add(odd, LoadFour(x[r] + i * kBlockStep + kBlockStep / 2));
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) sums[r] = some[r].AddTo(sums[r]);
}

template <int rows>
void Run(const BlockTile& t) {
  const D32 d;
  const DF df;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d)), step_bytes = 4 * lanes;
  VF totals[rows];
  const int8_t* x[rows];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    totals[r] = hn::Zero(df);
    x[r] = t.rows + r * t.row_stride;
  }
  const uint8_t* panel = t.panel;
  for (int64_t block = 0; block < t.blocks; ++block) {
    V32 sums[rows];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) sums[r] = hn::Set(d, t.starts[r * t.blocks + block]);
    for (int64_t step = 0; step < t.block_steps; step += kSteps) {
      const int64_t steps = std::min(kSteps, t.block_steps - step);
      Steps<rows>(steps, x, panel, sums);
      panel += steps * step_bytes;
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r) x[r] += steps * kBlockStep;
    }
    const VF scale = hn::LoadU(df, t.scales + block * lanes);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      totals[r] = hn::MulAdd(hn::ConvertTo(df, sums[r]), scale, totals[r]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) hn::StoreU(totals[r], df, t.sums + r * lanes);
}

void RunTile(int64_t rows, const BlockTile& tile) {
  switch (rows) {
    case 4:
      return Run<4>(tile);
    case 3:
      return Run<3>(tile);
    case 2:
      return Run<2>(tile);
    default:
      return Run<1>(tile);
  }
}

const BlockKernel* Kernel() {
  static const BlockKernel kernel = {4, static_cast<int64_t>(hn::Lanes(D32())), &RunTile};
  return &kernel;
}

#else
const BlockKernel* Kernel() { return nullptr; }
#endif  // TERN_SIMD
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(Kernel);

const BlockKernel* GetBlockKernel() { return TERN_OPTIMIZED_KERNEL(Kernel); }

}  // namespace tern

#endif  // HWY_ONCE
