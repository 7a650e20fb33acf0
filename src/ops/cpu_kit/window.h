// SPDX-License-Identifier: Apache-2.0
// Geometry of sliding windows, shared by convolutions and pooling: one WindowAxis each for height
// and width.
#ifndef TERN_OPS_CPU_KIT_WINDOW_H_
#define TERN_OPS_CPU_KIT_WINDOW_H_

#include <cstdint>

#include "base/window_axis.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

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

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_WINDOW_H_
