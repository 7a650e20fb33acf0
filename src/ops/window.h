// SPDX-License-Identifier: Apache-2.0
// Geometry of sliding windows, shared by convolutions and pooling: one WindowAxis each for height
// and width.
#ifndef TERN_OPS_WINDOW_H_
#define TERN_OPS_WINDOW_H_

#include <cstdint>

#include "ops/op_kit.h"

namespace tern {

struct WindowAxis {
  int64_t in = 0, filter = 1, stride = 1, dilation = 1;
  int64_t out = 0;
  int64_t pad_before = 0, pad_after = 0;

  // Distance from the first to one past the last tap.
  int64_t Extent() const { return (filter - 1) * dilation + 1; }

  struct Taps {
    int64_t begin, end;  // indices of the filter taps that fall inside the input
    int64_t position;    // input position of tap `begin`
  };
  Taps TapsAt(int64_t output_position) const;
};

// Fills in out and padding. `axis` names the axis in errors. VALID padding with a filter larger
// than the input gives out 0 when it is larger by less than two strides, else a negative one, which
// the caller judges.
StatusOr<WindowAxis> MakeWindowAxis(const char* axis, TfLitePadding padding, int64_t in,
                                    int64_t filter, int64_t stride, int64_t dilation);

// The limits of a convolution's stride or dilation, which `what` names in errors.
Status CheckSteps(const char* what, int height, int width);

// The padding for an output size that is given (transposed convolution, where `in` is the result's
// size).
void SetPadding(WindowAxis& axis);

// True when XNNPACK's 32-bit sizes and its table of addresses (out_h * out_w * taps) stay
// reasonable.
bool FitsFastPath(const WindowAxis& height, const WindowAxis& width);

}  // namespace tern

#endif  // TERN_OPS_WINDOW_H_
