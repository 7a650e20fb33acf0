// SPDX-License-Identifier: Apache-2.0
// Some pixels of a depthwise convolution at a time, so that each weight is loaded once for them.
#include "cpu/float_depthwise.h"

#define TERN_NEEDS_NO_VNNI
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/float_depthwise.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

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
  // The number that may be NaN stands second: the result is then that one.
  const V min = hn::Set(d, p.min), max = hn::Set(d, p.max);
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) {
    hn::StoreU(hn::Min(max, hn::Max(min, sums[i])), d, p.out + i * p.channels + c);
  }
}

// All channels by vectors of d, the last one of which may compute some once more; false when there
// are fewer channels than lanes.
template <int kPixels, class D>
HWY_INLINE bool AllChannels(D d, const FloatDepthwisePixels& p) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (p.last - p.first < lanes) return false;
  int64_t c = p.first;
  for (; c + lanes <= p.last; c += lanes) Channels<kPixels>(d, p, c);
  if (c < p.last) Channels<kPixels>(d, p, p.last - lanes);
  return true;
}

template <int kPixels>
HWY_NOINLINE void ComputePixels(const FloatDepthwisePixels& p) {
  if (AllChannels<kPixels>(hn::ScalableTag<float>(), p)) return;
  if (AllChannels<kPixels>(hn::CappedTag<float, 8>(), p)) return;
  if (AllChannels<kPixels>(hn::CappedTag<float, 4>(), p)) return;
  AllChannels<kPixels>(hn::CappedTag<float, 1>(), p);
}

constexpr FloatDepthwise kDepthwise = {
    {&ComputePixels<1>, &ComputePixels<2>, &ComputePixels<4>, &ComputePixels<8>}};
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

const FloatDepthwise* GetFloatDepthwise() { return TERN_FAST_FORM(DepthwiseTable); }

}  // namespace tern

#endif  // HWY_ONCE
