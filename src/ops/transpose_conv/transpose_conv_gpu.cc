// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV on the GPU. Operands: 0 output shape, 1 filter [out, h, w, in], 2 input, 3 bias
// (may be omitted). Convolution2DTransposeBias: 0 input, 1 filter, 2 bias.
#include "ops/gpu_kit/gpu_op.h"

#include <algorithm>

#include "base/status.h"
#include "ops/gpu_kit/conv_weights_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/transpose_conv/transpose_options.h"

namespace tern::gpu {
namespace {

// Padding before the first element: that of the forward convolution from the output to the input.
int PadBefore(int in, int out, int filter, int stride) {
  return static_cast<int>(std::max<int64_t>((int64_t{in} - 1) * stride + filter - out, 0) / 2);
}

constexpr WeightOperands kWeights = {.filter = 1, .bias = 3}, kCustomWeights = {};
constexpr int kInput = 2, kCustomInput = 0;

absl::Status Emit(const Node& node, Lowering& lower, const TfLiteTransposeConvParams& params,
                  const WeightOperands& weights, int input_index) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* filter, lower.Input(node, weights.filter));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, input_index));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  if (input->dims.size() != 4 || filter->dims.size() != 4 || output->dims.size() != 4) {
    return lower.Unsupported(
        node, StrCat("input, filter and output must have rank 4 (", input->dims.size(), ", ",
                     filter->dims.size(), ", ", output->dims.size(), ")"));
  }
  const ConvShape shape{.in = input->dims[3],
                        .out = filter->dims[0],
                        .groups = 1,
                        .height = filter->dims[1],
                        .width = filter->dims[2]};
  if (shape.in != filter->dims[3] || shape.out != output->dims[3] || shape.height <= 0 ||
      shape.width <= 0) {
    return lower.Unsupported(
        node, StrCat("filter does not fit input and output (", ShapeText(ShapeOf(*filter)), ", ",
                     ShapeText(ShapeOf(*input)), ", ", ShapeText(ShapeOf(*output)), ")"));
  }
  if (params.stride_width <= 0 || params.stride_height <= 0) {
    return lower.Unsupported(node, StrCat("stride must be positive (", params.stride_width, ", ",
                                          params.stride_height, ")"));
  }
  const Box in = input->box(), out = output->box();
  if (in.b != out.b) {
    return lower.Unsupported(
        node, StrCat("input and output must have one batch size (", in.b, ", ", out.b, ")"));
  }
  const ConvTiles tiles = TilesFor(shape, lower.tuning());
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::transpose_conv);
  dispatch.Read("src", input_index).Write("dst", 0);
  dispatch.Define("PIXELS", tiles.pixels)
      .Define("SLICES", tiles.slices)
      .Define("LANES", tiles.lanes);
  dispatch.Int("blocks", tiles.blocks).Int("kernel_h", shape.height).Int("kernel_w", shape.width);
  dispatch.Int("stride_h", params.stride_height).Int("stride_w", params.stride_width);
  dispatch.Loop({CeilDiv(shape.height, params.stride_height),
                 CeilDiv(shape.width, params.stride_width), tiles.steps});
  dispatch.Int("pad_top", PadBefore(in.h, out.h, shape.height, params.stride_height));
  dispatch.Int("pad_left", PadBefore(in.w, out.w, shape.width, params.stride_width));
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, weights,
                                   PackingOf(shape, tiles, /*channels_last=*/false), dispatch));
  const int64_t columns =
      CeilDiv(out.w, int64_t{tiles.pixels} * params.stride_width) * params.stride_width;
  return dispatch.Activation(params.activation)
      .Grid(columns, out.h, int64_t{tiles.blocks} * out.b)
      .Emit();
}

absl::Status LowerTransposeConv(const Node& node, Lowering& lower) {
  return Emit(node, lower, node.Get<TfLiteTransposeConvParams>(), kWeights, kInput);
}

absl::Status LowerTransposeConvBias(const Node& node, Lowering& lower) {
  const auto params = ReadTransposeOptions(node.params, node.params_size);
  if (!params.has_value()) {
    return lower.Unsupported(
        node, StrCat("options must be padding and strides (", node.params_size, " bytes)"));
  }
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, kCustomInput));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* filter, lower.Input(node, kCustomWeights.filter));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box in = input->box(), taps = filter->box();
  const int64_t height = TransposedExtent(in.h, taps.h, params->stride_height, params->padding);
  const int64_t width = TransposedExtent(in.w, taps.w, params->stride_width, params->padding);
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, {in.b, height, width, taps.b}));
  return Emit(node, lower, *params, kCustomWeights, kCustomInput);
}

}  // namespace

GpuOp TransposeConvBiasGpu() {
  return {.lower = LowerTransposeConvBias,
          .traits = {.takes_chain = true, .buffers = [](const Graph& graph, const Node& node) {
                       return WeightBuffers(graph, node, kCustomWeights);
                     }}};
}

GpuOp TransposeConvGpu() {
  return {.lower = LowerTransposeConv,
          .traits = {.takes_chain = true, .buffers = [](const Graph& graph, const Node& node) {
                       return WeightBuffers(graph, node, kWeights);
                     }}};
}

}  // namespace tern::gpu
