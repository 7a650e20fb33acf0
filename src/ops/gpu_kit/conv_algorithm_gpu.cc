// SPDX-License-Identifier: Apache-2.0
// Choices by shape and by what the device is tuned for.
#include "ops/gpu_kit/conv_algorithm_gpu.h"

#include <algorithm>

#include "base/status.h"
#include "base/tensor/winograd.h"

namespace tern::gpu {
namespace {

// Work-items that share one pixel of one output slice; 1 where there is work enough without.
int SharingItems(const Lowering& lower, const KernelConv& shape, int64_t pixels) {
  constexpr int64_t kSlicesThatFillADevice = 8192;
  const int64_t made = pixels * lower.Slices(shape.out);
  int items = lower.tuning().reduce_items;
  while (items > 1 &&
         (items / 2 >= lower.Slices(shape.in) || made * items > kSlicesThatFillADevice)) {
    items /= 2;
  }
  return items;
}

// Whether Winograd's F(4x4, 3x3) computes it, where it is asked for: the filter is constant, as its
// numbers are made beforehand, all is floats, and channels are enough to pay for the transforms.
// One image, as each matrix takes the place of one.
bool TakesWinograd(const Node& node, const Lowering& lower, const KernelConv& shape,
                   const Window& window, const Box& out) {
  constexpr int kMinChannels = 16;
  constexpr int64_t kMaxNumbers = int64_t{16} << 20;  // of the temporaries, each 64 MiB
  if (lower.tuning().winograd != winograd::kTile || !lower.all_floats()) return false;
  const auto side_by_side = [](const WindowAxis& axis) {
    return axis.filter == winograd::kFilter && axis.stride == 1 && axis.dilation == 1;
  };
  if (!side_by_side(window.height) || !side_by_side(window.width) || shape.groups != 1 ||
      out.b != 1 || std::min(shape.in, shape.out) < kMinChannels) {
    return false;
  }
  const GraphTensor& filter = lower.graph().tensors[node.inputs[1]];
  const GraphTensor& input = lower.graph().tensors[node.inputs[0]];
  if (!filter.is_constant() || node.requantization || input.quantized) return false;
  const int64_t tiles = CeilDiv(out.w, winograd::kTile) * CeilDiv(out.h, winograd::kTile);
  const int64_t slices = std::max(lower.Slices(shape.in), lower.Slices(shape.out));
  return tiles * winograd::kMatrices * slices * lower.slice_width() <= kMaxNumbers;
}

}  // namespace

ConvChoice ChooseConv(const Node& node, const Lowering& lower, const KernelConv& shape,
                      const Window& window, const Box& in, const Box& out, bool line) {
  if (TakesWinograd(node, lower, shape, window, out)) return {ConvAlgorithm::kWinograd};
  // One tap that stands on every pixel, none between or beside them.
  const bool pointwise = shape.groups == 1 && shape.height == 1 && shape.width == 1 &&
                         window.width.stride == 1 && window.height.stride == 1 && in.w == out.w &&
                         in.h == out.h;
  if (!pointwise) return {ConvAlgorithm::kWindow};
  if (out.h * out.w == 1) {
    const ConvChoice product = ChooseProduct(lower, shape, out.b);
    if (product.algorithm == ConvAlgorithm::kShared) return product;
  }
  return {line ? ConvAlgorithm::kPointwise : ConvAlgorithm::kWindow};
}

int PixelsInRow(const Lowering& lower, const KernelConv& shape, int width) {
  constexpr int kShortSum = 128;
  const int pixels = lower.tuning().pixels;
  if (width == 1) return 1;
  const bool is_short = shape.height * shape.width * shape.GroupIn() <= kShortSum;
  return is_short && lower.device().device_class == DeviceClass::kCpu ? (pixels + 1) / 2 : pixels;
}

ConvChoice ChooseProduct(const Lowering& lower, const KernelConv& shape, int64_t rows) {
  const int items = SharingItems(lower, shape, rows);
  return {items > 1 ? ConvAlgorithm::kShared : ConvAlgorithm::kPointwise, items};
}

absl::Status EmitShared(const Node& node, Lowering& lower, const KernelConv& shape, const Box& out,
                        int items, TfLiteFusedActivation activation, bool channels_last,
                        DispatchBuilder& dispatch) {
  ConvTiles tiles = TilesFor(shape, lower);
  tiles.slices = 1;
  tiles.blocks = lower.Slices(shape.out);
  dispatch.Write("dst", 0, out).Define("LANES", tiles.lanes);
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, {.decoding = shape.decoding},
                                   PackingOf(shape, tiles, channels_last), dispatch));
  dispatch.Activation(activation).Define("ITEMS", items).LocalSums("sums", items);
  dispatch.HalfSums(CeilDiv(lower.Slices(shape.in), items) * tiles.lanes);
  const int64_t pixels = int64_t{out.b} * out.h * out.w;
  return dispatch.Group(items, 1, 1).Grid(int64_t{items} * tiles.blocks, pixels, 1).Emit();
}

}  // namespace tern::gpu
