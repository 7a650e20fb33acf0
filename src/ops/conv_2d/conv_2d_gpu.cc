// SPDX-License-Identifier: Apache-2.0
// CONV_2D on the GPU: grouped, dilated, strided, with constant or runtime filter and bias.
#include "ops/conv_2d/conv_2d_gpu.h"

#include <algorithm>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/window_gpu.h"

namespace tern::gpu {
namespace {

absl::Status EmitPointwise(const Node& node, Lowering& lower, const ConvWindow& window,
                           const ConvTiles& tiles, const FilterPacking& packing) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box in = input->box(), out = output->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::conv_1x1);
  dispatch.Read("src", 0, Lowering::Flat(in)).Write("dst", 0, Lowering::Flat(out));
  dispatch.Define("PIXELS", tiles.pixels)
      .Define("SLICES", tiles.slices)
      .Define("LANES", tiles.lanes);
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, {}, packing, dispatch));
  return dispatch.Activation(window.activation)
      .Loop({lower.Slices(in.c)})
      .Grid(CeilDiv(int64_t{out.h} * out.w, tiles.pixels), tiles.blocks, out.b)
      .Emit();
}

absl::Status LowerConv2d(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* filter, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  if (input->dims.size() != 4 || filter->dims.size() != 4 || output->dims.size() != 4) {
    return lower.Unsupported(
        node, StrCat("input, filter and output must have rank 4 (", input->dims.size(), ", ",
                     filter->dims.size(), ", ", output->dims.size(), ")"));
  }
  if (input->dims[0] != output->dims[0]) {
    return lower.Unsupported(node, StrCat("input and output must have one batch size (",
                                          input->dims[0], ", ", output->dims[0], ")"));
  }
  const auto& params = node.Get<TfLiteConvParams>();
  const int group_in = filter->dims[3];
  if (group_in <= 0 || input->dims[3] % group_in != 0) {
    return lower.Unsupported(node, StrCat("filter channels do not divide the input's (", group_in,
                                          ", ", input->dims[3], ")"));
  }
  ConvShape shape{.in = input->dims[3],
                  .out = filter->dims[0],
                  .groups = input->dims[3] / group_in,
                  .height = filter->dims[1],
                  .width = filter->dims[2]};
  if (shape.groups < 1 || shape.out % shape.groups != 0 || output->dims[3] != shape.out) {
    return lower.Unsupported(node, StrCat("groups do not divide the output channels (",
                                          shape.groups, ", ", shape.out, ")"));
  }
  ConvWindow window{.stride_w = params.stride_width,
                    .stride_h = params.stride_height,
                    .dilation_w = params.dilation_width_factor,
                    .dilation_h = params.dilation_height_factor,
                    .activation = params.activation};
  TERN_ASSIGN_OR_RETURN(window.pad_top, PadAround(node, lower, params.padding, 1,
                                                  {input->dims[1], output->dims[1], shape.height,
                                                   window.stride_h, window.dilation_h}));
  TERN_ASSIGN_OR_RETURN(window.pad_left, PadAround(node, lower, params.padding, 2,
                                                   {input->dims[2], output->dims[2], shape.width,
                                                    window.stride_w, window.dilation_w}));
  return EmitConv(node, lower, shape, window, /*channels_last=*/false);
}

}  // namespace

absl::Status EmitConv(const Node& node, Lowering& lower, const ConvShape& shape,
                      const ConvWindow& window, bool channels_last) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box in = input->box(), out = output->box();
  const ConvTiles tiles = TilesFor(shape, lower.tuning());
  const FilterPacking packing = PackingOf(shape, tiles, channels_last);
  const bool pointwise = shape.groups == 1 && shape.height == 1 && shape.width == 1 &&
                         window.stride_w == 1 && window.stride_h == 1 && in.w == out.w &&
                         in.h == out.h && lower.CanFlatten(node);
  if (pointwise) return EmitPointwise(node, lower, window, tiles, packing);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::conv_2d);
  dispatch.Read("src", 0).Write("dst", 0);
  dispatch.Define("PIXELS", tiles.pixels)
      .Define("SLICES", tiles.slices)
      .Define("LANES", tiles.lanes);
  dispatch.Define("GROUPED", shape.groups > 1);
  dispatch.Int("blocks", tiles.blocks).Int("steps", tiles.steps);
  dispatch.Int("kernel_h", shape.height).Int("kernel_w", shape.width);
  dispatch.Int("stride_h", window.stride_h).Int("stride_w", window.stride_w);
  dispatch.Int("dilation_h", window.dilation_h).Int("dilation_w", window.dilation_w);
  dispatch.Int("pad_top", window.pad_top).Int("pad_left", window.pad_left);
  dispatch.Int("group_in", shape.GroupIn()).Int("group_out", shape.GroupOut());
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, {}, packing, dispatch));
  return dispatch.Activation(window.activation)
      .Loop({shape.height, shape.width, tiles.steps})
      .Grid(CeilDiv(out.w, tiles.pixels), out.h, int64_t{tiles.blocks} * out.b)
      .Emit();
}

GpuOp Conv2dGpu() {
  return {.lower = LowerConv2d,
          .traits = {.takes_chain = true,
                     .buffers = [](const Graph& graph,
                                   const Node& node) { return WeightBuffers(graph, node, {}); },
                     .takes_padding = HasConstantFilter}};
}

}  // namespace tern::gpu
