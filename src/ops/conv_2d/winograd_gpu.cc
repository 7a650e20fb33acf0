// SPDX-License-Identifier: Apache-2.0
#include "ops/conv_2d/winograd_gpu.h"

#include <vector>

#include "base/status.h"
#include "base/tensor/winograd.h"
#include "ops/gpu_kit/conv_algorithm_gpu.h"

namespace tern::gpu {
namespace {

// A table of factors, each in all lanes of a slice.
template <size_t rows>
std::vector<float> Splats(const double (&table)[rows][winograd::kPoints], int slice_width) {
  std::vector<float> values;
  for (const auto& row : table) {
    for (const double factor : row) {
      values.insert(values.end(), static_cast<size_t>(slice_width), static_cast<float>(factor));
    }
  }
  return values;
}

// Products of 36 matrices [tiles, in] with those that the filter becomes.
absl::Status EmitProducts(const Node& node, Lowering& lower, const KernelConv& shape, TensorId from,
                          TensorId to) {
  const Box box = lower.TempBox(from);
  const ConvTiles tiles = TilesFor(shape, lower, /*line=*/true);
  FilterPacking packing = PackingOf(shape, tiles, /*channels_last=*/false);
  packing.taps = winograd::kMatrices;
  packing.winograd = true;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::conv_1x1);
  dispatch.ReadTemp("src", from).WriteTemp("dst", to);
  DefineLine(lower, tiles, tiles.pixels, box.w, dispatch, winograd::kMatrices);
  WalkLanes(dispatch, tiles, KernelId::conv_1x1_lane_loop);
  dispatch.ConstantFilter("weights", 1, packing, shape.decoding);
  dispatch.ConstantRow("bias", packing.bias_slices(), -1, packing.out_channels);
  return dispatch.HalfParts(tiles.steps)
      .Grid(CeilDiv(box.w, tiles.pixels), tiles.blocks, box.b)
      .Emit();
}

}  // namespace

absl::Status EmitWinograd(const Node& node, Lowering& lower, const KernelConv& shape,
                          const Window& window, TfLiteFusedActivation activation) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box out = output->box();
  const int tiles_x = static_cast<int>(CeilDiv(out.w, winograd::kTile));
  const int tiles_y = static_cast<int>(CeilDiv(out.h, winograd::kTile));
  const int tiles = tiles_x * tiles_y, width = lower.slice_width();
  const auto temp = [&](const char* name, int channels) {
    return lower.Temp(StrCat(Label(node), " ", name), {winograd::kMatrices, 1, tiles, channels},
                      Layout::kSlices);
  };
  const TensorId from = temp("tiles", shape.in), to = temp("products", shape.out);
  DispatchBuilder input = lower.Dispatch(node, KernelId::winograd_input);
  input.Read("src", 0).WriteTemp("dst", from).ZeroSlice();
  input.ConstantValues("rows", Splats(winograd::kInputRows, width));
  input.Int("tiles_x", tiles_x).Int("tiles_y", tiles_y);
  input.Int("pad_top", window.height.pad_before).Int("pad_left", window.width.pad_before);
  input.Grid(tiles_x, tiles_y, int64_t{lower.Slices(shape.in)} * winograd::kPoints);
  TERN_RETURN_IF_ERROR(input.Emit());
  TERN_RETURN_IF_ERROR(EmitProducts(node, lower, shape, from, to));
  DispatchBuilder result = lower.Dispatch(node, KernelId::winograd_output);
  result.ReadTemp("src", to).Write("dst", 0);
  result.ConstantValues("rows", Splats(winograd::kOutputRows, width)).Int("tiles_x", tiles_x);
  TERN_RETURN_IF_ERROR(BindBias(node, lower, {}, shape.out, lower.Slices(shape.out), result));
  return result.Activation(activation).Grid(tiles_x, out.h, lower.Slices(shape.out)).Emit();
}

}  // namespace tern::gpu
