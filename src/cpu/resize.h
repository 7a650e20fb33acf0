// SPDX-License-Identifier: Apache-2.0
// Bilinear interpolation of one row of pixels.
#ifndef TERN_CPU_RESIZE_H_
#define TERN_CPU_RESIZE_H_

#include <cstdint>

namespace tern {

// An output pixel lies between two input pixels of a line, which begin `low` and `high` numbers
// from its start, by `fraction` of their distance from the first: float, or int32_t in 1/1024.
template <class Number>
struct PixelTap {
  int64_t low, high;
  Number fraction;
};

// The pixels of an output row, between two lines of the input.
template <class T, class Number>
struct ResizedRow {
  const T *upper, *lower;
  Number fraction;  // of the way from upper to lower
  const PixelTap<Number>* taps;
  int64_t width, channels;
};

// Fewer channels have no optimized kernel.
inline constexpr int64_t kMinResizedChannels = 4;

template <class T, class Number>
using ResizeKernel = void (*)(const ResizedRow<T, Number>& row, T* out);

// Null where this processor or build has no such form. Corners without weight do not count. Of
// uint8_t: each corner times its two shares in float, in the order upper low, lower low, upper
// high, lower high, summed, plus a half, cut off. Of int8_t: exact, ties away from zero.
ResizeKernel<float, float> FastFloatResize();
ResizeKernel<uint8_t, float> FastUnsignedResize();
ResizeKernel<int8_t, int32_t> FastSignedResize();

}  // namespace tern

#endif  // TERN_CPU_RESIZE_H_
