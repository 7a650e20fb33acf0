// SPDX-License-Identifier: Apache-2.0
// Windows that slide over a tensor of any rank, as REDUCE_WINDOW and STABLEHLO_REDUCE_WINDOW
// describe them, for the CPU and the GPU form.
#ifndef TERN_OPS_STABLEHLO_REDUCE_WINDOW_RULES_H_
#define TERN_OPS_STABLEHLO_REDUCE_WINDOW_RULES_H_

#include <algorithm>
#include <vector>

#include "base/status.h"
#include "base/tensor/shape_math.h"

namespace tern {

// Along one axis. The input's elements lie `base` apart after `low` and before `high` places that
// hold the initial value; negative ones cut off.
struct WindowStep {
  int64_t size, stride, dilation;
  int64_t base = 1, low = 0, high = 0;
};

struct Windows {
  std::vector<WindowStep> axes;
  Shape output;
};

inline Status CheckStep(const WindowStep& s) {
  for (const int64_t v : {s.size, s.stride, s.dilation, s.base}) {
    if (v < 1 || v > kMaxElements) {
      return Invalid("a window size, stride or dilation is out of range (", v, ", ", kMaxElements,
                     ")");
    }
  }
  for (const int64_t v : {s.low, s.high}) {
    if (v < -kMaxElements || v > kMaxElements) return TooLarge("padding is too large (", v, ")");
  }
  return OkStatus();
}

// The windows of a tensor of shape `in`, a step for each of its axes.
inline StatusOr<Windows> WindowsOf(const Shape& in, std::vector<WindowStep> axes) {
  Windows windows{std::move(axes), {}};
  Shape sizes;
  for (size_t i = 0; i < in.size(); ++i) {
    const WindowStep& s = windows.axes[i];
    TERN_RETURN_IF_ERROR(CheckStep(s));
    const int64_t own = in[i] == 0 ? 0 : (in[i] - 1) * s.base + 1;
    const int64_t room = std::max<int64_t>(own + s.low + s.high, 0);
    const int64_t extent = (s.size - 1) * s.dilation + 1;
    windows.output.push_back(room < extent ? 0 : (room - extent) / s.stride + 1);
    sizes.push_back(s.size);
  }
  TERN_RETURN_IF_ERROR(CheckedElements(sizes).status());
  TERN_RETURN_IF_ERROR(CheckedElements(windows.output).status());
  return windows;
}

// Makes windows from the lists of REDUCE_WINDOW, each of which has a number per axis.
inline StatusOr<Windows> WindowsOf(const Shape& in, const Shape& sizes, const Shape& strides,
                                   const Shape& dilations) {
  std::vector<WindowStep> axes;
  for (size_t i = 0; i < in.size(); ++i) axes.push_back({sizes[i], strides[i], dilations[i]});
  return WindowsOf(in, std::move(axes));
}

}  // namespace tern

#endif  // TERN_OPS_STABLEHLO_REDUCE_WINDOW_RULES_H_
