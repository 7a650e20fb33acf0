// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV and Convolution2DTransposeBias on the GPU.
#include "ops/gpu_kit/gpu_op.h"

#include "base/status.h"
#include "ops/gpu_kit/conv_operands_gpu.h"
#include "ops/gpu_kit/conv_weights_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/gpu_kit/window_gpu.h"
#include "ops/transpose_conv/transpose_conv_rules.h"

namespace tern::gpu {
namespace {

WeightOperands WeightsOf(const TransposePlaces& places) {
  return {.filter = places.weights, .bias = places.bias, .input = places.input};
}

absl::Status Emit(const Node& node, Lowering& lower, const TfLiteTransposeConvParams& params,
                  const TransposePlaces& places) {
  TERN_ASSIGN_OR_RETURN(const ConvShapes shapes,
                        ConvShapesOf(node, lower, places.input, places.weights));
  const auto& [input, filter, output] = shapes;
  Window window = TransposedWindowOf(params, output, filter);
  const WindowAxis &height = window.height, &width = window.width;
  if (input[3] != filter[3] || output[3] != filter[0] || height.filter <= 0 || width.filter <= 0) {
    return lower.Unsupported(
        node, StrCat("filter does not fit input and output (", ShapeText(filter), ", ",
                     ShapeText(input), ", ", ShapeText(output), ")"));
  }
  if (width.stride <= 0 || height.stride <= 0) {
    return lower.Unsupported(
        node, StrCat("stride must be positive (", width.stride, ", ", height.stride, ")"),
        {Reason::kOptions});
  }
  TERN_RETURN_IF_ERROR(PadWindow(node, lower, params.padding, input, window));
  const KernelConv shape = KernelConvOf(input[3], filter[0], 1, window);
  const ConvTiles tiles = TilesFor(shape, lower);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::transpose_conv);
  dispatch.Read("src", places.input).Write("dst", 0);
  dispatch.Define("PIXELS", tiles.pixels)
      .Define("SLICES", tiles.slices)
      .Define("LANES", tiles.lanes);
  dispatch.Int("blocks", tiles.blocks).Int("kernel_h", shape.height).Int("kernel_w", shape.width);
  dispatch.Int("stride_h", height.stride).Int("stride_w", width.stride);
  dispatch.Int("pad_top", height.pad_before).Int("pad_left", width.pad_before);
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, WeightsOf(places),
                                   PackingOf(shape, tiles, /*channels_last=*/false), dispatch));
  const int64_t columns = CeilDiv(width.in, tiles.pixels * width.stride) * width.stride;
  return dispatch.Activation(params.activation)
      .HalfParts(tiles.steps)
      .Grid(columns, height.in, tiles.blocks * output[0])
      .Emit();
}

absl::Status LowerTransposeConv(const Node& node, Lowering& lower) {
  return Emit(node, lower, node.Get<TfLiteTransposeConvParams>(), kTransposeConv);
}

absl::Status LowerTransposeConvBias(const Node& node, Lowering& lower) {
  const auto params = ReadTransposeOptions(node.params, node.params_size);
  if (!params.has_value()) {
    return lower.Unsupported(
        node, StrCat("options must be padding and strides (", node.params_size, " bytes)"),
        {Reason::kOptions});
  }
  constexpr TransposePlaces kPlaces = kTransposeConvBias;
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, kPlaces.input));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* filter, lower.Input(node, kPlaces.weights));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  // Tensors may still have any rank here.
  const auto shape = [](const Box& box) { return Shape{box.b, box.h, box.w, box.c}; };
  TERN_RETURN_IF_ERROR(CheckOutputShape(
      node, lower, *output, TransposedShape(*params, shape(input->box()), shape(filter->box()))));
  return Emit(node, lower, *params, kPlaces);
}

}  // namespace

GpuOp TransposeConvBiasGpu() {
  return {.lower = LowerTransposeConvBias, .traits = {.takes_epilogue = true}};
}

GpuOp TransposeConvGpu() {
  const auto elements = [](const Graph& graph, const Node& node) {
    constexpr TransposePlaces kPlaces = kTransposeConv;
    const auto& params = node.Get<TfLiteTransposeConvParams>();
    return SummedElements(graph, node,
                          {.input = kPlaces.input,
                           .filter = kPlaces.weights,
                           .bias = kPlaces.bias,
                           .activation = params.activation},
                          params.quantized_bias_type);
  };
  const auto takes_ints = [](const Graph& graph, const Node& node, TensorId id) {
    return IsIntBias(graph, node, id, WeightsOf(kTransposeConv));
  };
  return {.lower = LowerTransposeConv,
          .traits = {.takes_ints = takes_ints, .elements = elements, .takes_epilogue = true}};
}

}  // namespace tern::gpu
