// SPDX-License-Identifier: Apache-2.0
// How the filter of a 3-D convolution slides: tensors are [N, depth, height, width, channels].
#ifndef TERN_OPS_CONV_3D_VOLUME_H_
#define TERN_OPS_CONV_3D_VOLUME_H_

#include <cstdint>
#include <utility>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/window.h"

namespace tern {

struct Volume {
  WindowAxis depth, height, width;
};

// `sizes` has the extents of the side that the filter slides over, `filter` those of the filter,
// both in the order depth, height, width.
inline StatusOr<Volume> MakeVolume(const TfLiteConv3DParams& params, const Shape& sizes,
                                   const Shape& filter) {
  const std::pair<const char*, int> steps[] = {{"stride", params.stride_depth},
                                               {"dilation", params.dilation_depth_factor}};
  for (const auto& [what, step] : steps) {
    if (step < 1 || step > INT16_MAX) {
      return Invalid(what, " of depth must lie in 1..", INT16_MAX, " (", step, ")");
    }
  }
  TERN_RETURN_IF_ERROR(CheckSteps("stride", params.stride_height, params.stride_width));
  TERN_RETURN_IF_ERROR(
      CheckSteps("dilation", params.dilation_height_factor, params.dilation_width_factor));
  Volume v;
  TERN_ASSIGN_OR_RETURN(v.depth, MakeWindowAxis("depth", params.padding, sizes[0], filter[0],
                                                params.stride_depth, params.dilation_depth_factor));
  TERN_ASSIGN_OR_RETURN(
      v.height, MakeWindowAxis("height", params.padding, sizes[1], filter[1], params.stride_height,
                               params.dilation_height_factor));
  TERN_ASSIGN_OR_RETURN(v.width, MakeWindowAxis("width", params.padding, sizes[2], filter[2],
                                                params.stride_width, params.dilation_width_factor));
  return v;
}

// Input and filter of rank 5 with elements (but for the batch), all of FLOAT32, and a bias that is
// absent or has a value for each of `channels`.
inline Status CheckVolumes(const TfLiteTensor* input, const TfLiteTensor* filter,
                           const TfLiteTensor* bias, const TfLiteTensor* output) {
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(filter, kTfLiteFloat32, "filter"));
  TERN_RETURN_IF_ERROR(CheckType(output, kTfLiteFloat32, "output"));
  if (bias != nullptr) TERN_RETURN_IF_ERROR(CheckType(bias, kTfLiteFloat32, "bias"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 5, "input"));
  TERN_RETURN_IF_ERROR(CheckRank(filter, 5, "filter"));
  for (int i = 1; i < 5; ++i) {
    if (Dim(input, i) <= 0)
      return Invalid("input is empty (shape ", ShapeText(ShapeOf(input)), ")");
  }
  if (Elements(filter) == 0) {
    return Invalid("filter is empty (shape ", ShapeText(ShapeOf(filter)), ")");
  }
  return OkStatus();
}

inline Status CheckVolumeBias(const TfLiteTensor* bias, int64_t channels) {
  if (bias == nullptr || Elements(bias) == channels) return OkStatus();
  return Invalid("bias must have one value per output channel (", Elements(bias), ", ", channels,
                 ")");
}

}  // namespace tern

#endif  // TERN_OPS_CONV_3D_VOLUME_H_
