// SPDX-License-Identifier: Apache-2.0
// Checks of the operands of convolutions.
#include "ops/conv_operands.h"

namespace tern {

Status CheckBias(const TfLiteTensor* bias, int64_t channels) {
  if (bias == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckType(bias, kTfLiteFloat32, "bias"));
  if (Elements(bias) == channels) return OkStatus();
  return Invalid("bias must have one value per output channel (", Elements(bias), ", ", channels,
                 ")");
}

StatusOr<Window> MakeWindow(const WindowSteps& steps, const TfLiteTensor* input,
                            const TfLiteTensor* filter) {
  TERN_RETURN_IF_ERROR(CheckSteps("stride", steps.stride_height, steps.stride_width));
  TERN_RETURN_IF_ERROR(CheckSteps("dilation", steps.dilation_height, steps.dilation_width));
  TERN_ASSIGN_OR_RETURN(const WindowAxis height,
                        MakeWindowAxis("height", steps.padding, Dim(input, 1), Dim(filter, 1),
                                       steps.stride_height, steps.dilation_height));
  TERN_ASSIGN_OR_RETURN(const WindowAxis width,
                        MakeWindowAxis("width", steps.padding, Dim(input, 2), Dim(filter, 2),
                                       steps.stride_width, steps.dilation_width));
  if (height.out < 0 || width.out < 0) {
    return Invalid("filter is larger than the input (filter ", height.Extent(), " x ",
                   width.Extent(), ", input ", height.in, " x ", width.in, ")");
  }
  return Window{height, width};
}

Status CheckConvData(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "filter"));
  if (call.input(2) != nullptr) TERN_RETURN_IF_ERROR(CheckData(call.input(2), "bias"));
  return CheckData(call.output(0), "output");
}

}  // namespace tern
