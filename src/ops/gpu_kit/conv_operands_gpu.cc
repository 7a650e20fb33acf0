// SPDX-License-Identifier: Apache-2.0
// Refusals of convolutions of other ranks.
#include "ops/gpu_kit/conv_operands_gpu.h"

#include "base/status.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {

absl::StatusOr<ConvShapes> ConvShapesOf(const Node& node, const Lowering& lower, int input,
                                        int filter) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, input));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* weights, lower.Input(node, filter));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  ConvShapes shapes = {ShapeOf(*in), ShapeOf(*weights), ShapeOf(*out)};
  if (shapes.input.size() != 4 || shapes.filter.size() != 4 || shapes.output.size() != 4) {
    return lower.Unsupported(
        node, StrCat("input, filter and output must have rank 4 (", shapes.input.size(), ", ",
                     shapes.filter.size(), ", ", shapes.output.size(), ")"));
  }
  if (shapes.input[0] != shapes.output[0]) {
    return lower.Unsupported(node, StrCat("input and output must have one batch size (",
                                          shapes.input[0], ", ", shapes.output[0], ")"));
  }
  return shapes;
}

KernelConv KernelConvOf(int64_t in, int64_t out, int64_t groups, const Window& window) {
  return {.in = static_cast<int>(in),
          .out = static_cast<int>(out),
          .groups = static_cast<int>(groups),
          .height = static_cast<int>(window.height.filter),
          .width = static_cast<int>(window.width.filter)};
}

}  // namespace tern::gpu
