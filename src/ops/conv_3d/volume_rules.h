// SPDX-License-Identifier: Apache-2.0
// Operands of 3-D convolutions and how the filter slides, for the CPU and the GPU form: tensors are
// [N, depth, height, width, channels].
#ifndef TERN_OPS_CONV_3D_VOLUME_RULES_H_
#define TERN_OPS_CONV_3D_VOLUME_RULES_H_

#include "base/tensor/shape_math.h"
#include "ops/rules_kit/window_rules.h"

namespace tern {

// Where CONV_3D_TRANSPOSE has its operands.
struct VolumePlaces {
  int shape, filter, input, bias;
};
inline constexpr VolumePlaces kConv3dTranspose = {0, 1, 2, 3};

struct Volume {
  WindowAxis depth, height, width;
};

// `large` is the shape of the side that the filter slides over: the input, or the output of a
// transposed convolution. The other side is still open.
inline Volume VolumeOf(const TfLiteConv3DParams& params, const Shape& large, const Shape& filter) {
  return {.depth = {.in = large[1],
                    .filter = filter[0],
                    .stride = params.stride_depth,
                    .dilation = params.dilation_depth_factor},
          .height = {.in = large[2],
                     .filter = filter[1],
                     .stride = params.stride_height,
                     .dilation = params.dilation_height_factor},
          .width = {.in = large[3],
                    .filter = filter[2],
                    .stride = params.stride_width,
                    .dilation = params.dilation_width_factor}};
}

}  // namespace tern

#endif  // TERN_OPS_CONV_3D_VOLUME_RULES_H_
