// SPDX-License-Identifier: Apache-2.0
// Checks of the operands of the CPU's 3-D convolutions. Messages begin with TensorFlow
// Lite's words where programs look for them.
#ifndef TERN_OPS_CONV_3D_VOLUME_OPERANDS_H_
#define TERN_OPS_CONV_3D_VOLUME_OPERANDS_H_

#include <cstdint>
#include <utility>

#include "ops/conv_3d/volume_rules.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

// The volume with what the filter makes of it on the other side.
inline StatusOr<Volume> MakeVolume(const TfLiteConv3DParams& params, const Shape& large,
                                   const Shape& filter) {
  Volume v = VolumeOf(params, large, filter);
  const std::pair<const char*, int64_t> steps[] = {{"stride", v.depth.stride},
                                                   {"dilation", v.depth.dilation}};
  for (const auto& [what, step] : steps) {
    if (step < 1 || step > INT16_MAX) {
      return Invalid(what, " of depth must lie in 1..", INT16_MAX, " (", step, ")");
    }
  }
  TERN_RETURN_IF_ERROR(CheckSteps("stride", v.height.stride, v.width.stride));
  TERN_RETURN_IF_ERROR(CheckSteps("dilation", v.height.dilation, v.width.dilation));
  TERN_RETURN_IF_ERROR(SetOutput("depth", params.padding, v.depth));
  TERN_RETURN_IF_ERROR(SetOutput("height", params.padding, v.height));
  TERN_RETURN_IF_ERROR(SetOutput("width", params.padding, v.width));
  return v;
}

inline Status CheckVolumeRank(const TfLiteTensor* t, const char* what) {
  if (Rank(t) == 5) return OkStatus();
  return Invalid(what, "->dims->size != 5 (", Rank(t), " != 5): ", what, " has the shape ",
                 ShapeText(ShapeOf(t)));
}

// Input and filter of rank 5 with elements (but for the batch), all of FLOAT32.
inline Status CheckVolumes(const TfLiteTensor* input, const TfLiteTensor* filter,
                           const TfLiteTensor* bias, const TfLiteTensor* output) {
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(filter, kTfLiteFloat32, "filter"));
  TERN_RETURN_IF_ERROR(CheckType(output, kTfLiteFloat32, "output"));
  if (bias != nullptr) TERN_RETURN_IF_ERROR(CheckType(bias, kTfLiteFloat32, "bias"));
  TERN_RETURN_IF_ERROR(CheckVolumeRank(input, "input"));
  TERN_RETURN_IF_ERROR(CheckVolumeRank(filter, "filter"));
  for (int i = 1; i < 5; ++i) {
    if (Dim(input, i) <= 0)
      return Invalid("input is empty (shape ", ShapeText(ShapeOf(input)), ")");
  }
  if (Elements(filter) == 0) {
    return Invalid("filter is empty (shape ", ShapeText(ShapeOf(filter)), ")");
  }
  return OkStatus();
}

// The output's channels are axis `axis` of the filter.
inline Status CheckVolumeBias(const TfLiteTensor* bias, const TfLiteTensor* filter, int axis) {
  const int64_t channels = Dim(filter, axis);
  if (bias == nullptr || Elements(bias) == channels) return OkStatus();
  return Invalid("NumElements(bias) != SizeOfDimension(filter, ", axis, ") (", Elements(bias),
                 " != ", channels, "): bias must have one value per output channel");
}

}  // namespace tern

#endif  // TERN_OPS_CONV_3D_VOLUME_OPERANDS_H_
