// SPDX-License-Identifier: Apache-2.0
// Which input position RESIZE_NEAREST_NEIGHBOR takes, the same on the CPU and on the GPU: a
// product in single precision, rounded down or, with align_corners, to the nearest integer.
#ifndef TERN_OPS_RESIZE_NEAREST_RULES_H_
#define TERN_OPS_RESIZE_NEAREST_RULES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tern {

struct NearestAxis {
  float scale = 1, offset = 0;
  bool round = false;

  int64_t At(int64_t output_position, int64_t in) const {
    const float at = (static_cast<float>(output_position) + offset) * scale;
    const float whole = round ? std::round(at) : std::floor(at);
    return std::clamp<int64_t>(static_cast<int64_t>(whole), 0, in - 1);
  }
};

inline NearestAxis MakeNearestAxis(int64_t in, int64_t out, bool align_corners, bool half_pixel) {
  const bool ends_meet = align_corners && out > 1;
  return {
      static_cast<float>(ends_meet ? in - 1 : in) / static_cast<float>(ends_meet ? out - 1 : out),
      half_pixel ? 0.5f : 0.0f, align_corners};
}

}  // namespace tern

#endif  // TERN_OPS_RESIZE_NEAREST_RULES_H_
