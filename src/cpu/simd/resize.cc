// SPDX-License-Identifier: Apache-2.0
// Bilinear interpolation with channels in the lanes of a vector. The channels left after whole
// vectors are computed in one vector together with channels before them, which are computed twice.
#include "cpu/resize.h"

#define TERN_NEEDS_NO_VNNI
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/resize.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {

#if TERN_SIMD

namespace hn = hwy::HWY_NAMESPACE;

// mix(d, tap, c) gives the channels from c on of an output pixel.
template <class D, class T, class Number, class Mix>
HWY_INLINE void ForPixels(D d, const ResizedRow<T, Number>& row, T* out, const Mix& mix) {
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t x = 0; x < row.width; ++x, out += row.channels) {
    const PixelTap<Number>& tap = row.taps[x];
    int64_t c = 0;
    for (; c + n <= row.channels; c += n) hn::StoreU(mix(d, tap, c), d, out + c);
    c = row.channels - n;
    if (row.channels % n != 0) hn::StoreU(mix(d, tap, c), d, out + c);
  }
}

// In long vectors, or in those of four numbers.
template <class D, class T, class Number, class Mix>
HWY_INLINE void ForRow(D d, const ResizedRow<T, Number>& row, T* out, const Mix& mix) {
  if (row.channels >= static_cast<int64_t>(hn::Lanes(d))) {
    ForPixels(d, row, out, mix);
  } else {
    ForPixels(hn::CappedTag<T, 4>(), row, out, mix);
  }
}

void Floats(const ResizedRow<float, float>& row, float* out) {
  ForRow(hn::ScalableTag<float>(), row, out, [&](auto d, const auto& tap, int64_t c) {
    const float bottom = row.fraction, top = 1.0f - bottom;
    const float right = tap.fraction, left = 1.0f - right;
    const auto part = [d](const float* from, float weight) {
      return hn::Mul(hn::LoadU(d, from), hn::Set(d, weight));
    };
    auto sum = part(row.upper + tap.low + c, top * left);
    if (bottom != 0) sum = hn::Add(sum, part(row.lower + tap.low + c, bottom * left));
    if (right != 0) sum = hn::Add(sum, part(row.upper + tap.high + c, top * right));
    if (bottom != 0 && right != 0) {
      sum = hn::Add(sum, part(row.lower + tap.high + c, bottom * right));
    }
    return sum;
  });
}

void UnsignedBytes(const ResizedRow<uint8_t, float>& row, uint8_t* out) {
  using D = hn::Rebind<uint8_t, hn::ScalableTag<float>>;
  ForRow(D(), row, out, [&](auto d, const auto& tap, int64_t c) {
    const hn::Rebind<int32_t, decltype(d)> d32;
    const hn::Rebind<float, decltype(d)> df;
    const auto bottom = hn::Set(df, row.fraction), top = hn::Set(df, 1.0f - row.fraction);
    const auto right = hn::Set(df, tap.fraction), left = hn::Set(df, 1.0f - tap.fraction);
    const auto part = [&](const uint8_t* from, auto first, auto second) {
      const auto corner = hn::ConvertTo(df, hn::PromoteTo(d32, hn::LoadU(d, from)));
      return hn::Mul(hn::Mul(corner, first), second);
    };
    auto sum = part(row.upper + tap.low + c, top, left);
    sum = hn::Add(sum, part(row.lower + tap.low + c, bottom, left));
    sum = hn::Add(sum, part(row.upper + tap.high + c, top, right));
    sum = hn::Add(sum, part(row.lower + tap.high + c, bottom, right));
    return hn::DemoteTo(d, hn::ConvertTo(d32, hn::Add(sum, hn::Set(df, 0.5f))));
  });
}

void SignedBytes(const ResizedRow<int8_t, int32_t>& row, int8_t* out) {
  using D = hn::Rebind<int8_t, hn::ScalableTag<int32_t>>;
  ForRow(D(), row, out, [&](auto d, const auto& tap, int64_t c) {
    const hn::Rebind<int32_t, decltype(d)> d32;
    const int32_t bottom = row.fraction, top = 1024 - bottom;
    const int32_t right = tap.fraction, left = 1024 - right;
    const auto part = [&](const int8_t* from, int32_t weight) {
      return hn::Mul(hn::PromoteTo(d32, hn::LoadU(d, from)), hn::Set(d32, weight));
    };
    const auto low = hn::Add(part(row.upper + tap.low + c, top * left),
                             part(row.lower + tap.low + c, bottom * left));
    const auto high = hn::Add(part(row.upper + tap.high + c, top * right),
                              part(row.lower + tap.high + c, bottom * right));
    const auto sum = hn::Add(low, high);
    // Half of 2^20, one less for a sum up to 0.
    const auto positive = hn::VecFromMask(d32, hn::Gt(sum, hn::Zero(d32)));
    const auto half = hn::Sub(hn::Set(d32, (1 << 19) - 1), positive);
    return hn::DemoteTo(d, hn::ShiftRight<20>(hn::Add(sum, half)));
  });
}

ResizeKernel<float, float> FloatForm() { return &Floats; }
ResizeKernel<uint8_t, float> UnsignedForm() { return &UnsignedBytes; }
ResizeKernel<int8_t, int32_t> SignedForm() { return &SignedBytes; }

#else

ResizeKernel<float, float> FloatForm() { return nullptr; }
ResizeKernel<uint8_t, float> UnsignedForm() { return nullptr; }
ResizeKernel<int8_t, int32_t> SignedForm() { return nullptr; }

#endif  // TERN_SIMD

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(FloatForm);
HWY_EXPORT(UnsignedForm);
HWY_EXPORT(SignedForm);

ResizeKernel<float, float> FastFloatResize() { return TERN_OPTIMIZED_KERNEL(FloatForm); }
ResizeKernel<uint8_t, float> FastUnsignedResize() { return TERN_OPTIMIZED_KERNEL(UnsignedForm); }
ResizeKernel<int8_t, int32_t> FastSignedResize() { return TERN_OPTIMIZED_KERNEL(SignedForm); }

}  // namespace tern

#endif  // HWY_ONCE
