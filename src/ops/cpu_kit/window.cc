// SPDX-License-Identifier: Apache-2.0
// Sliding-window arithmetic in 64 bits.
#include "ops/cpu_kit/window.h"

#include <algorithm>

namespace tern {
void SetPadding(WindowAxis& axis) {
  const int64_t total =
      std::max<int64_t>(0, (axis.out - 1) * axis.stride + axis.Extent() - axis.in);
  axis.pad_before = total / 2;
  axis.pad_after = total - axis.pad_before;
}

StatusOr<WindowAxis> MakeWindowAxis(const char* axis, TfLitePadding padding, int64_t in,
                                    int64_t filter, int64_t stride, int64_t dilation) {
  if (filter <= 0) return Invalid("filter ", axis, " must be positive (", filter, ")");
  if (stride <= 0) return Invalid("stride of ", axis, " must be positive (", stride, ")");
  if (dilation <= 0) return Invalid("dilation of ", axis, " must be positive (", dilation, ")");
  WindowAxis result{in, filter, stride, dilation};
  if (padding == kTfLitePaddingSame) {
    result.out = CeilDiv(in, stride);
  } else if (padding == kTfLitePaddingValid) {
    result.out = (in + stride - result.Extent()) / stride;
  } else {
    return Invalid("unknown padding (", static_cast<int>(padding), ")");
  }
  SetPadding(result);
  if (padding == kTfLitePaddingValid) result.pad_before = result.pad_after = 0;
  return result;
}

Status CheckSteps(const char* what, int height, int width) {
  for (const int step : {height, width}) {
    if (step < 1 || step > INT16_MAX) {
      return Invalid(what, " must lie in 1..", INT16_MAX, " (", height, ", ", width, ")");
    }
  }
  return OkStatus();
}

}  // namespace tern
