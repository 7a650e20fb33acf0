// SPDX-License-Identifier: Apache-2.0
// CONV_2D on the GPU: grouped, dilated, strided, with constant or runtime filter and bias.
#include "ops/conv_2d/conv_2d_gpu.h"

#include <algorithm>

#include "base/status.h"
#include "ops/conv_2d/winograd_gpu.h"
#include "ops/gpu_kit/conv_algorithm_gpu.h"
#include "ops/gpu_kit/conv_operands_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/window_gpu.h"
#include "ops/rules_kit/conv_rules.h"

namespace tern::gpu {
namespace {

absl::Status EmitPointwise(const Node& node, Lowering& lower, const KernelConv& shape,
                           TfLiteFusedActivation activation, bool channels_last) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box in = input->box(), out = output->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::conv_1x1);
  dispatch.Read("src", 0, Lowering::Flat(in)).Write("dst", 0, Lowering::Flat(out));
  ConvTiles tiles = TilesFor(shape, lower, /*line=*/true);
  // A line that is shorter than the tile would take a cursor for each pixel, and a tile of several
  // slices has no registers for them.
  if (lower.one_cursor() && tiles.slices > 1)
    tiles.pixels = std::clamp(out.h * out.w, 1, tiles.pixels);
  DefineLine(lower, tiles, tiles.pixels, out.h * out.w, dispatch);
  WalkLanes(dispatch, tiles, KernelId::conv_1x1_lane_loop);
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, {.decoding = shape.decoding},
                                   PackingOf(shape, tiles, channels_last), dispatch));
  return dispatch.Activation(activation)
      .HalfParts(tiles.steps)
      .Grid(CeilDiv(int64_t{out.h} * out.w, tiles.pixels), tiles.blocks, out.b)
      .Emit();
}

absl::Status LowerConv2d(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const ConvShapes shapes, ConvShapesOf(node, lower, 0, 1));
  const auto& [input, filter, output] = shapes;
  const ConvGroups groups(input, filter);
  if (!groups.DepthFits()) {
    return lower.Unsupported(node, StrCat("filter channels do not divide the input's (",
                                          groups.depth, ", ", groups.channels, ")"));
  }
  if (!groups.FiltersFit() || output[3] != groups.filters) {
    return lower.Unsupported(node, StrCat("groups do not divide the output channels (",
                                          groups.Count(), ", ", groups.filters, ")"));
  }
  const auto& params = node.Get<TfLiteConvParams>();
  Window window = ConvWindowOf(params, input, filter);
  TERN_RETURN_IF_ERROR(PadWindow(node, lower, params.padding, output, window));
  const KernelConv shape = KernelConvOf(groups.channels, groups.filters, groups.Count(), window);
  return EmitConv(node, lower, shape, window, params.activation, /*channels_last=*/false);
}

// With one tap the algorithm would be another one than without the padding.
bool TakesPadding(const Graph& graph, const Node& node) {
  if (!HasConstantFilter(graph, node)) return false;
  const Box filter = graph.tensors[node.inputs[1]].box();
  return filter.h * filter.w > 1;
}

}  // namespace

void BindConvWindow(const Window& window, DispatchBuilder& dispatch) {
  const WindowAxis &height = window.height, &width = window.width;
  dispatch.Int("stride_h", height.stride).Int("stride_w", width.stride);
  dispatch.Int("dilation_h", height.dilation).Int("dilation_w", width.dilation);
  dispatch.Int("pad_top", height.pad_before).Int("pad_left", width.pad_before);
}

absl::Status EmitConv(const Node& node, Lowering& lower, const KernelConv& shape,
                      const Window& window, TfLiteFusedActivation activation, bool channels_last) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box in = input->box(), out = output->box();
  const ConvChoice choice = ChooseConv(node, lower, shape, window, in, out, lower.CanFlatten(node));
  if (choice.algorithm == ConvAlgorithm::kWinograd)
    return EmitWinograd(node, lower, shape, window, activation);
  if (choice.algorithm == ConvAlgorithm::kPointwise)
    return EmitPointwise(node, lower, shape, activation, channels_last);
  if (choice.algorithm == ConvAlgorithm::kShared) {
    DispatchBuilder dispatch = lower.Dispatch(node, KernelId::shared_product);
    dispatch.Read("src", 0);
    return EmitShared(node, lower, shape, out, choice.items, activation, channels_last, dispatch);
  }
  ConvTiles tiles = TilesFor(shape, lower);
  tiles.pixels = PixelsInRow(lower, shape, out.w);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::conv_2d);
  dispatch.Read("src", 0).Write("dst", 0);
  dispatch.Define("PIXELS", tiles.pixels).Define("SLICES", tiles.slices);
  WalkLanes(dispatch, tiles, KernelId::conv_2d_lane_loop, /*with_zero=*/true);
  dispatch.Define("GROUPED", shape.groups > 1);
  dispatch.Int("blocks", tiles.blocks).Int("steps", tiles.steps);
  dispatch.Int("kernel_h", shape.height).Int("kernel_w", shape.width);
  BindConvWindow(window, dispatch);
  dispatch.Int("group_in", shape.GroupIn()).Int("group_out", shape.GroupOut());
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, {.decoding = shape.decoding},
                                   PackingOf(shape, tiles, channels_last), dispatch));
  return dispatch.Activation(activation)
      .HalfParts(shape.groups == 1 ? tiles.steps : 1)
      .Grid(CeilDiv(out.w, tiles.pixels), out.h, int64_t{tiles.blocks} * out.b)
      .Emit();
}

GpuOp Conv2dGpu() {
  const auto elements = [](const Graph& graph, const Node& node) {
    const auto& params = node.Get<TfLiteConvParams>();
    return SummedElements(graph, node, {.activation = params.activation},
                          params.quantized_bias_type);
  };
  const auto takes_ints = [](const Graph& graph, const Node& node, TensorId id) {
    return IsIntBias(graph, node, id);
  };
  return {.lower = LowerConv2d,
          .traits = {.takes_ints = takes_ints,
                     .elements = elements,
                     .takes_epilogue = true,
                     .takes_padding = TakesPadding}};
}

}  // namespace tern::gpu
