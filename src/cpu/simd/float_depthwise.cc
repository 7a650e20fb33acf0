// SPDX-License-Identifier: Apache-2.0
// Some pixels of a depthwise convolution at a time, so that each weight is loaded once for them; of
// two rows where that is possible, so that numbers that both read are loaded once, too.
#include "cpu/float_depthwise.h"

#define TERN_NEEDS_NO_VNNI
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/float_depthwise.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/clamp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {

#if TERN_SIMD

namespace hn = hwy::HWY_NAMESPACE;

template <int kPixels, class D>
HWY_INLINE void Channels(D d, const FloatDepthwisePixels& p, int64_t c) {
  using V = hn::Vec<D>;
  V sums[kPixels];
  const V bias = p.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, p.bias + c);
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) sums[i] = bias;
  for (int64_t row = 0; row < p.tap_rows; ++row) {
    const float* in = p.in[row] + c;
    const float* weights = p.weights[row] + c;
    for (int64_t tap = 0; tap < p.taps; ++tap, in += p.tap_step, weights += p.channels) {
      const V weight = hn::LoadU(d, weights);
#pragma GCC unroll 8
      for (int i = 0; i < kPixels; ++i) {
        sums[i] = hn::MulAdd(hn::LoadU(d, in + i * p.pixel_step), weight, sums[i]);
      }
    }
  }
  const V min = hn::Set(d, p.min), max = hn::Set(d, p.max);
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) {
    hn::StoreU(Between(min, max, sums[i]), d, p.out + i * p.channels + c);
  }
}

// Two output rows. The sums grow in the order in which those of one row do.
template <int kPixels, class D>
HWY_INLINE void PairChannels(D d, const FloatDepthwisePixels& p, int64_t c) {
  using V = hn::Vec<D>;
  V weights[9], sums[2][kPixels];
  const V bias = p.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, p.bias + c);
#pragma GCC unroll 16
  for (int t = 0; t < 9; ++t) weights[t] = hn::LoadU(d, p.weights[0] + t * p.channels + c);
#pragma GCC unroll 16
  for (int i = 0; i < kPixels; ++i) sums[0][i] = sums[1][i] = bias;
#pragma GCC unroll 16
  for (int row = 0; row < 4; ++row) {
#pragma GCC unroll 16
    for (int x = 0; x < kPixels + 2; ++x) {
      const V v = hn::LoadU(d, p.in[row] + x * p.channels + c);
#pragma GCC unroll 16
      for (int r = 0; r < 2; ++r) {
#pragma GCC unroll 16
        for (int i = 0; i < kPixels; ++i) {
          const int y_tap = row - r, x_tap = x - i;
          if (y_tap < 0 || y_tap > 2 || x_tap < 0 || x_tap > 2) continue;
          sums[r][i] = hn::MulAdd(v, weights[y_tap * 3 + x_tap], sums[r][i]);
        }
      }
    }
  }
  const V min = hn::Set(d, p.min), max = hn::Set(d, p.max);
#pragma GCC unroll 16
  for (int r = 0; r < 2; ++r) {
#pragma GCC unroll 16
    for (int i = 0; i < kPixels; ++i) {
      hn::StoreU(Between(min, max, sums[r][i]), d, p.out + r * p.out_step + i * p.channels + c);
    }
  }
}

// The kernels for one vector of channels, from channel c on: OneRow computes one output row,
// TwoRows two.
template <int kPixels>
struct OneRow {
  template <class D>
  static HWY_INLINE void Run(D d, const FloatDepthwisePixels& p, int64_t c) {
    Channels<kPixels>(d, p, c);
  }
};
template <int kPixels>
struct TwoRows {
  template <class D>
  static HWY_INLINE void Run(D d, const FloatDepthwisePixels& p, int64_t c) {
    PairChannels<kPixels>(d, p, c);
  }
};

// All channels by vectors of d, the last one of which may compute some once more; false when there
// are fewer channels than lanes.
template <class Rows, class D>
HWY_INLINE bool AllChannels(D d, const FloatDepthwisePixels& p) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (p.last - p.first < lanes) return false;
  int64_t c = p.first;
  for (; c + lanes <= p.last; c += lanes) Rows::Run(d, p, c);
  if (c < p.last) Rows::Run(d, p, p.last - lanes);
  return true;
}

template <class Rows>
HWY_NOINLINE void Compute(const FloatDepthwisePixels& p) {
  if (AllChannels<Rows>(hn::ScalableTag<float>(), p)) return;
  if (AllChannels<Rows>(hn::CappedTag<float, 8>(), p)) return;
  if (AllChannels<Rows>(hn::CappedTag<float, 4>(), p)) return;
  AllChannels<Rows>(hn::CappedTag<float, 1>(), p);
}

constexpr FloatDepthwise kDepthwise = {
    {&Compute<OneRow<1>>, &Compute<OneRow<2>>, &Compute<OneRow<4>>, &Compute<OneRow<8>>},
    {&Compute<TwoRows<1>>, &Compute<TwoRows<2>>, &Compute<TwoRows<4>>}};
const FloatDepthwise* DepthwiseTable() { return &kDepthwise; }

#else

const FloatDepthwise* DepthwiseTable() { return nullptr; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(DepthwiseTable);

const FloatDepthwise* GetFloatDepthwise() { return TERN_OPTIMIZED_KERNEL(DepthwiseTable); }

}  // namespace tern

#endif  // HWY_ONCE
