// SPDX-License-Identifier: Apache-2.0
// Tiles and packing of convolution weights.
#include "ops/conv_2d/conv_weights_gpu.h"

#include <algorithm>

#include "base/status.h"

namespace tern::gpu {

ConvTiles TilesFor(const ConvShape& shape, const Tuning& tuning) {
  ConvTiles tiles;
  const int w = tuning.slice_width;
  const int out_slices = (shape.out + w - 1) / w;
  tiles.slice_width = w;
  // A block of several slices pays when few of its slices lie past the last channel.
  const bool even = out_slices % tuning.slices == 0 || out_slices > 2 * tuning.slices;
  tiles.slices = shape.groups == 1 && even ? tuning.slices : 1;
  tiles.pixels = tuning.pixels;
  tiles.blocks = (out_slices + tiles.slices - 1) / tiles.slices;
  const int in_slices = (shape.in + w - 1) / w;
  tiles.lanes = std::min(w, shape.in);
  tiles.steps = in_slices;
  if (shape.groups > 1) {
    tiles.steps = 1;
    for (int block = 0; block < tiles.blocks; ++block) {
      const int last_out = std::min((block + 1) * w, shape.out) - 1;
      const int last_in = (last_out / shape.GroupOut() + 1) * shape.GroupIn() - 1;
      tiles.steps = std::max(tiles.steps, last_in / w + 1 - FirstSourceSlice(shape, tiles, block));
    }
  }
  return tiles;
}

int FirstSourceSlice(const ConvShape& shape, const ConvTiles& tiles, int block) {
  const int first_out = block * tiles.slices * tiles.slice_width;
  return first_out / shape.GroupOut() * shape.GroupIn() / tiles.slice_width;
}

namespace {

// Calls visit(position of a slice in the packed weights, first output channel, filter y, filter x,
// input channel).
template <typename Visit>
void WalkWeights(const ConvShape& shape, const ConvTiles& tiles, Visit visit) {
  const int w = tiles.slice_width;
  size_t slice = 0;
  for (int block = 0; block < tiles.blocks; ++block) {
    const int first = FirstSourceSlice(shape, tiles, block);
    for (int y = 0; y < shape.height; ++y) {
      for (int x = 0; x < shape.width; ++x) {
        for (int step = 0; step < tiles.steps; ++step) {
          for (int lane = 0; lane < tiles.lanes; ++lane) {
            for (int j = 0; j < tiles.slices; ++j, ++slice) {
              visit(slice, (block * tiles.slices + j) * w, y, x, (first + step) * w + lane);
            }
          }
        }
      }
    }
  }
}

}  // namespace

void PackWeights(std::span<const float> filter, const ConvShape& shape, const ConvTiles& tiles,
                 std::span<float> packed) {
  const int w = tiles.slice_width;
  const int group_in = shape.GroupIn(), group_out = shape.GroupOut();
  WalkWeights(shape, tiles, [&](size_t slice, int first_out, int y, int x, int in) {
    for (int l = 0; l < w && first_out + l < shape.out; ++l) {
      const int out = first_out + l;
      const int at = in - out / group_out * group_in;  // input channel within the group of `out`
      if (at < 0 || at >= group_in) continue;
      packed[slice * w + l] =
          filter[((size_t{static_cast<size_t>(out)} * shape.height + y) * shape.width + x) *
                     group_in +
                 at];
    }
  });
}

namespace {

absl::Status PackOnDevice(const Node& node, Lowering& lower, const WeightOperands& operands,
                          const ConvShape& shape, const ConvTiles& tiles,
                          DispatchBuilder& dispatch) {
  const int64_t slices = tiles.WeightSlices(shape);
  const TensorId temp = lower.Temp(
      "packed filter", {1, 1, static_cast<int>(slices), tiles.slice_width}, Layout::kVector);
  dispatch.ReadTemp("weights", temp);
  return lower.Dispatch(node, KernelId::pack_weights)
      .Read("src", operands.filter)
      .WriteTemp("dst", temp)
      .Define("LANES", tiles.lanes)
      .Define("SLICES", tiles.slices)
      .Int("count", slices)
      .Int("steps", tiles.steps)
      .Int("taps", int64_t{shape.height} * shape.width)
      .Define("CHANNELS_LAST", operands.channels_last)
      .Int("group_in", shape.GroupIn())
      .Int("group_out", shape.GroupOut())
      .Int("out_channels", shape.out)
      .Grid(slices, 1, 1)
      .Emit();
}

absl::Status BindBias(const Node& node, Lowering& lower, int input, const ConvShape& shape,
                      const ConvTiles& tiles, DispatchBuilder& dispatch) {
  const bool present = lower.Has(node, input);
  const bool constant = present && (*lower.Input(node, input))->is_constant();
  std::vector<float> bias;
  if (constant) {
    TERN_ASSIGN_OR_RETURN(bias, lower.Floats(node, input));
    if (static_cast<int>(bias.size()) != shape.out) {
      return lower.Unsupported(
          node, StrCat("bias of ", bias.size(), " numbers for ", shape.out, " channels"));
    }
  }
  dispatch.Constant("bias", int64_t{tiles.blocks} * tiles.slices, [bias](std::span<float> packed) {
    std::copy(bias.begin(), bias.end(), packed.begin());
  });
  if (present && !constant) dispatch.AddInput(input);
  return absl::OkStatus();
}

}  // namespace

absl::Status BindWeights(const Node& node, Lowering& lower, const WeightOperands& operands,
                         const ConvShape& shape, const ConvTiles& tiles,
                         DispatchBuilder& dispatch) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* filter, lower.Input(node, operands.filter));
  if (!filter->is_constant()) {
    TERN_RETURN_IF_ERROR(PackOnDevice(node, lower, operands, shape, tiles, dispatch));
  } else {
    std::vector<float> values;
    if (operands.reordered != nullptr) {
      values = *operands.reordered;
    } else {
      TERN_ASSIGN_OR_RETURN(values, lower.Floats(node, operands.filter));
    }
    dispatch.Constant("weights", tiles.WeightSlices(shape),
                      [values = std::move(values), shape, tiles](std::span<float> packed) {
                        PackWeights(values, shape, tiles, packed);
                      });
  }
  return BindBias(node, lower, operands.bias, shape, tiles, dispatch);
}

}  // namespace tern::gpu
