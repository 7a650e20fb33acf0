// SPDX-License-Identifier: Apache-2.0
// Where the pixels of RESIZE_BILINEAR lie, for the CPU and the GPU.
#ifndef TERN_OPS_RESIZE_BILINEAR_RULES_H_
#define TERN_OPS_RESIZE_BILINEAR_RULES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

// An output pixel lies between two input pixels, by `fraction` of their distance from the first.
template <class Number>
struct BilinearTap {
  int64_t low = 0, high = 0;
  Number fraction = 0;
};

// Beyond the edges both positions are one. UINT8 keeps the fraction even so, because its sums are
// rounded with it; for floats it is 0 and the first position alone counts.
inline BilinearTap<float> FloatTap(int64_t at, int64_t in, int64_t out,
                                   const TfLiteResizeBilinearParams& params, bool keeps_fraction) {
  const float scale = params.align_corners && out > 1
                          ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                          : static_cast<float>(in) / static_cast<float>(out);
  const float position = params.half_pixel_centers ? (static_cast<float>(at) + 0.5f) * scale - 0.5f
                                                   : static_cast<float>(at) * scale;
  const int64_t low = std::clamp<int64_t>(static_cast<int64_t>(std::floor(position)), 0, in - 1);
  const int64_t high = std::clamp<int64_t>(static_cast<int64_t>(std::ceil(position)), 0, in - 1);
  const bool drops = low == high && !keeps_fraction;
  return {low, high, drops ? 0.0f : position - static_cast<float>(low)};
}

// Fractions of INT8 and INT16 are in parts of a pixel.
inline constexpr int64_t kPixelParts = 1024;

inline BilinearTap<int32_t> WholeTap(int64_t at, int64_t in, int64_t out,
                                     const TfLiteResizeBilinearParams& params) {
  const bool ends_meet = params.align_corners && out > 1;
  const int64_t from = ends_meet ? in - 1 : in, to = ends_meet ? out - 1 : out;
  const int64_t scale = (kPixelParts * from + to / 2) / to;
  int64_t position = at * scale;
  if (params.half_pixel_centers) position += scale / 2 - kPixelParts / 2;
  const int64_t low = std::clamp<int64_t>(position / kPixelParts, 0, in - 1);
  const int64_t high = std::clamp<int64_t>((position + kPixelParts - 1) / kPixelParts, 0, in - 1);
  return {low, high, low == high ? 0 : static_cast<int32_t>(position - low * kPixelParts)};
}

}  // namespace tern

#endif  // TERN_OPS_RESIZE_BILINEAR_RULES_H_
