// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D on the GPU. A channel multiplier above 1 is a convolution with one group per
// input channel.
#include "ops/gpu_kit/gpu_op.h"

#include <algorithm>

#include "base/status.h"
#include "ops/conv_2d/conv_2d_gpu.h"
#include "ops/gpu_kit/conv_weights_gpu.h"
#include "ops/gpu_kit/window_gpu.h"

namespace tern::gpu {
namespace {

// Registers that one row of the window may take before reading each tap anew is better.
constexpr int kMaxColumns = 20;
constexpr int kMaxStaticWidth = 7;

// Filter [1, h, w, channels] as slices [slice][tap].
void PackDepthwise(std::span<const float> filter, int taps, int channels, int slice_width,
                   std::span<float> packed) {
  for (int c = 0; c < channels; ++c) {
    for (int tap = 0; tap < taps; ++tap) {
      const size_t slice = static_cast<size_t>(c / slice_width) * taps + tap;
      packed[slice * slice_width + c % slice_width] =
          filter[static_cast<size_t>(tap) * channels + c];
    }
  }
}

FilterPacking PackingOf(const GraphTensor& filter, const Lowering& lower) {
  const int channels = filter.dims[3], taps = filter.dims[1] * filter.dims[2],
            w = lower.slice_width();
  return {
      .channels = channels,
      .bias_slices = lower.Slices(channels),
      .filter_slices = int64_t{lower.Slices(channels)} * taps,
      .pack = [=](std::span<const float> from,
                  std::span<float> packed) { PackDepthwise(from, taps, channels, w, packed); },
      .kernel = KernelId::pack_depthwise,
      .parameters =
          [=](DispatchBuilder& dispatch) { dispatch.Int("taps", taps).Int("channels", channels); }};
}

absl::Status EmitDepthwise(const Node& node, Lowering& lower, const GraphTensor& filter,
                           const ConvWindow& window, const Box& out) {
  const int pixels = lower.tuning().depthwise_pixels;
  const int kernel_w = filter.dims[2];
  const int64_t columns =
      int64_t{pixels - 1} * window.stride_w + (int64_t{kernel_w} - 1) * window.dilation_w + 1;
  const bool fixed = kernel_w <= kMaxStaticWidth && columns <= kMaxColumns;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::depthwise_conv_2d);
  dispatch.Read("src", 0).Write("dst", 0).Define("PIXELS", pixels);
  dispatch.Define("COLUMNS", fixed ? static_cast<int>(columns) : 0);
  if (fixed) {
    dispatch.Define("KERNEL_W", kernel_w).Define("STRIDE_W", window.stride_w);
    dispatch.Define("DILATION_W", window.dilation_w);
  }
  dispatch.Int("kernel_h", filter.dims[1]).Int("kernel_w", kernel_w);
  dispatch.Loop({filter.dims[1], fixed ? 0 : kernel_w});
  dispatch.Int("stride_h", window.stride_h).Int("stride_w", window.stride_w);
  dispatch.Int("dilation_h", window.dilation_h).Int("dilation_w", window.dilation_w);
  dispatch.Int("pad_top", window.pad_top).Int("pad_left", window.pad_left);
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, {}, PackingOf(filter, lower), dispatch));
  return dispatch.Activation(window.activation)
      .Grid(CeilDiv(out.w, pixels), out.h, int64_t{lower.Slices(out.c)} * out.b)
      .Emit();
}

// The filter [1, h, w, in * multiplier] read as that of a convolution with a group per input
// channel.
absl::Status EmitMultiplied(const Node& node, Lowering& lower, const GraphTensor& filter,
                            const ConvWindow& window, int in_channels) {
  const ConvShape shape{.in = in_channels,
                        .out = filter.dims[3],
                        .groups = in_channels,
                        .height = filter.dims[1],
                        .width = filter.dims[2]};
  return EmitConv(node, lower, shape, window, /*channels_last=*/true);
}

absl::Status LowerDepthwise(const Node& node, Lowering& lower) {
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
  const int in_channels = input->dims[3], channels = filter->dims[3];
  if (in_channels <= 0 || channels % in_channels != 0 || filter->dims[0] != 1 ||
      output->dims[3] != channels) {
    return lower.Unsupported(
        node, StrCat("filter channels do not fit the input's (", channels, ", ", in_channels, ")"));
  }
  const auto& params = node.Get<TfLiteDepthwiseConvParams>();
  ConvWindow window{.stride_w = params.stride_width,
                    .stride_h = params.stride_height,
                    .dilation_w = params.dilation_width_factor,
                    .dilation_h = params.dilation_height_factor,
                    .activation = params.activation};
  TERN_ASSIGN_OR_RETURN(window.pad_top, PadAround(node, lower, params.padding, 1,
                                                  {input->dims[1], output->dims[1], filter->dims[1],
                                                   window.stride_h, window.dilation_h}));
  TERN_ASSIGN_OR_RETURN(
      window.pad_left, PadAround(node, lower, params.padding, 2,
                                 {input->dims[2], output->dims[2], filter->dims[2], window.stride_w,
                                  window.dilation_w}));
  if (channels == in_channels) return EmitDepthwise(node, lower, *filter, window, output->box());
  return EmitMultiplied(node, lower, *filter, window, in_channels);
}

}  // namespace

GpuOp DepthwiseConv2dGpu() {
  return {.lower = LowerDepthwise,
          .traits = {.takes_chain = true,
                     .buffers = [](const Graph& graph,
                                   const Node& node) { return WeightBuffers(graph, node, {}); },
                     .takes_padding = HasConstantFilter}};
}

}  // namespace tern::gpu
