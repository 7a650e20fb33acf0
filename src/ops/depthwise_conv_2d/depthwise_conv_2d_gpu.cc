// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D on the GPU. A channel multiplier above 1 is a convolution with one group per
// input channel.
#include "ops/gpu_kit/gpu_op.h"

#include <algorithm>

#include "base/status.h"
#include "ops/conv_2d/conv_2d_gpu.h"
#include "ops/gpu_kit/conv_operands_gpu.h"
#include "ops/gpu_kit/conv_weights_gpu.h"
#include "ops/gpu_kit/window_gpu.h"
#include "ops/rules_kit/conv_rules.h"

namespace tern::gpu {
namespace {

// Registers that one row of the window may take before reading each tap again is better.
constexpr int kMaxColumns = 20;
constexpr int kMaxStaticWidth = 7;

// A filter [1, h, w, channels] as slices [slice][tap].
FilterPacking PackingOf(const GraphTensor& filter, const Lowering& lower) {
  const int channels = filter.dims[3];
  return {.out_channels = channels,
          .group_out = std::max(channels, 1),
          .taps = filter.dims[1] * filter.dims[2],
          .blocks = lower.Slices(channels),
          .lanes = 1,
          .tap_step = channels};
}

// How a work-item goes through a row.
struct Columns {
  int64_t count = 0;     // that it reads once; 0: it reads each tap of each pixel
  int64_t apart = 1;     // pixels, from one of the work-item to its next
  int64_t dilation = 1;  // in columns
};

int64_t ItemsOf(int64_t width, int64_t pixels, int64_t apart) {
  return apart * CeilDiv(CeilDiv(width, apart), pixels);
}

Columns ColumnsOf(const WindowAxis& axis, int64_t out_width, int64_t pixels) {
  if (axis.filter > kMaxStaticWidth) return {};
  Columns columns{.apart = axis.stride == 1 ? axis.dilation : 1};
  columns.dilation = axis.dilation / columns.apart;
  columns.count = (pixels - 1) * axis.stride + (axis.filter - 1) * columns.dilation + 1;
  if (columns.count > kMaxColumns) return {};
  // Pixels that lie far apart are soon beyond the end of the row.
  const int64_t reads = ItemsOf(out_width, pixels, columns.apart) * columns.count;
  const int64_t of_taps = ItemsOf(out_width, pixels, 1) * pixels * axis.filter;
  return reads <= of_taps ? columns : Columns{};
}

// Columns that may lie outside of the image.
struct Edges {
  int64_t left, right;
};

// For SAME at least the most that it pads, so that it takes one program for all widths.
Edges EdgesOf(const WindowAxis& axis, TfLitePadding padding) {
  const int64_t most = padding == kTfLitePaddingSame ? axis.Extent() : 1;
  return {std::max(axis.pad_before, (most - 1) / 2), std::max(axis.pad_after, most / 2)};
}

absl::Status EmitDepthwise(const Node& node, Lowering& lower, const Window& window,
                           const TfLiteDepthwiseConvParams& params) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* filter, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box out = output->box();
  const WindowAxis& width = window.width;
  const int pixels = lower.tuning().depthwise_pixels;
  const int64_t kernel_h = window.height.filter, kernel_w = width.filter;
  const Columns columns = ColumnsOf(width, out.w, pixels);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::depthwise_conv_2d);
  dispatch.Read("src", 0).Write("dst", 0).Define("PIXELS", pixels);
  dispatch.Define("COLUMNS", columns.count > 0);
  if (columns.count > 0) {
    dispatch.Define("STRIDE_W", static_cast<int>(width.stride));
    dispatch.Define("KERNEL_W", static_cast<int>(kernel_w));
    dispatch.Define("DILATION_W", static_cast<int>(columns.dilation));
  }
  // Processors divide fast, and their drivers compile slowly: they get one program for all.
  const bool divides_fast = lower.device().device_class == DeviceClass::kCpu;
  const bool apart =
      columns.apart > 1 || window.height.dilation > 1 || out.w < pixels || divides_fast;
  dispatch.Define("APART", apart);
  if (columns.count > 0 && !apart) {
    const Edges edges = EdgesOf(width, params.padding);
    dispatch.Define("LEFT", static_cast<int>(std::min(edges.left, columns.count)));
    dispatch.Define("RIGHT", static_cast<int>(std::max<int64_t>(columns.count - edges.right, 0)));
  }
  dispatch.Int("kernel_h", kernel_h).Int("kernel_w", kernel_w).Int("apart", columns.apart);
  BindConvWindow(window, dispatch);
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, {}, PackingOf(*filter, lower), dispatch));
  return dispatch.Activation(params.activation)
      .HalfSums(kernel_h * kernel_w)
      .Grid(ItemsOf(out.w, pixels, columns.apart), out.h, int64_t{lower.Slices(out.c)} * out.b)
      .Emit();
}

absl::Status LowerDepthwise(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const ConvShapes shapes, ConvShapesOf(node, lower, 0, 1));
  const auto& [input, filter, output] = shapes;
  if (!DepthwiseFits(input, filter) || output[3] != filter[3]) {
    return lower.Unsupported(
        node, StrCat("filter channels do not fit the input's (", filter[3], ", ", input[3], ")"));
  }
  const auto& params = node.Get<TfLiteDepthwiseConvParams>();
  Window window = ConvWindowOf(params, input, filter);
  TERN_RETURN_IF_ERROR(PadWindow(node, lower, params.padding, output, window));
  if (filter[3] == input[3]) return EmitDepthwise(node, lower, window, params);
  // Read as the filter of a convolution with a group per input channel.
  const KernelConv shape = KernelConvOf(input[3], filter[3], input[3], window);
  return EmitConv(node, lower, shape, window, params.activation, /*channels_last=*/true);
}

}  // namespace

GpuOp DepthwiseConv2dGpu() {
  const auto elements = [](const Graph& graph, const Node& node) {
    const auto& params = node.Get<TfLiteDepthwiseConvParams>();
    return SummedElements(graph, node, {.filter_axis = 3, .activation = params.activation},
                          kTfLiteInt64);
  };
  const auto takes_ints = [](const Graph& graph, const Node& node, TensorId id) {
    return IsIntBias(graph, node, id);
  };
  return {.lower = LowerDepthwise,
          .traits = {.takes_ints = takes_ints,
                     .elements = elements,
                     .takes_epilogue = true,
                     .takes_padding = HasConstantFilter}};
}

}  // namespace tern::gpu
