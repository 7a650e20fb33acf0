// SPDX-License-Identifier: Apache-2.0
// Tiles and packing of convolution weights.
#include "ops/gpu_kit/conv_weights_gpu.h"

#include <algorithm>
#include <limits>
#include <optional>

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
                 const FilterOrder& order, std::span<float> packed) {
  const int w = tiles.slice_width;
  const int group_in = shape.GroupIn(), group_out = shape.GroupOut();
  WalkWeights(shape, tiles, [&](size_t slice, int first_out, int y, int x, int in) {
    const int64_t tap = int64_t{y} * shape.width + x;
    for (int l = 0; l < w && first_out + l < shape.out; ++l) {
      const int out = first_out + l;
      const int at = in - out / group_out * group_in;  // input channel within the group of `out`
      if (at < 0 || at >= group_in) continue;
      packed[slice * w + l] = filter[out * order.out + tap * order.tap + at * order.in];
    }
  });
}

FilterPacking PackingOf(const ConvShape& shape, const ConvTiles& tiles, bool channels_last) {
  if (channels_last) return PackingOf(shape, tiles, FilterOrder{1, shape.out, 0});
  const int64_t row = shape.GroupIn();
  return PackingOf(shape, tiles, FilterOrder{row * shape.height * shape.width, row, 1});
}

FilterPacking PackingOf(const ConvShape& shape, const ConvTiles& tiles, const FilterOrder& order) {
  return {
      .channels = shape.out,
      .bias_slices = int64_t{tiles.blocks} * tiles.slices,
      .filter_slices = tiles.WeightSlices(shape),
      .pack = [=](std::span<const float> filter,
                  std::span<float> packed) { PackWeights(filter, shape, tiles, order, packed); },
      .kernel = KernelId::pack_weights,
      .parameters =
          [=](DispatchBuilder& dispatch) {
            dispatch.Define("LANES", tiles.lanes)
                .Define("SLICES", tiles.slices)
                .Int("steps", tiles.steps)
                .Int("taps", int64_t{shape.height} * shape.width)
                .Int("out_step", order.out)
                .Int("tap_step", order.tap)
                .Int("in_step", order.in)
                .Int("group_in", shape.GroupIn())
                .Int("group_out", shape.GroupOut())
                .Int("out_channels", shape.out);
          }};
}

namespace {

// Filter and bias as one vector that the device fills: a slice of zeros, the bias, the filter. One
// buffer for all of them, because some devices bind four in all.
absl::Status PackOnDevice(const Node& node, Lowering& lower, const WeightOperands& operands,
                          const FilterPacking& packing, DispatchBuilder& dispatch) {
  const int64_t head = 1 + packing.bias_slices, slices = head + packing.filter_slices;
  if (slices * lower.slice_width() > std::numeric_limits<int>::max()) {
    return lower.Unsupported(
        node,
        StrCat("the filter is too large for the GPU (", slices * lower.slice_width(), " numbers)"),
        {Reason::kDeviceLimit});
  }
  const TensorId temp =
      lower.Temp(StrCat(Label(node), " weights"),
                 {1, 1, static_cast<int>(slices), lower.slice_width()}, Layout::kVector);
  dispatch.ConstantsIn(temp, {{"bias", 1}, {"weights", static_cast<int>(head)}});
  const bool biased = lower.Has(node, operands.bias);
  DispatchBuilder bias = lower.Dispatch(node, KernelId::pack_bias);
  if (biased && (*lower.Input(node, operands.bias))->number() == Number::kInt) {
    TERN_ASSIGN_OR_RETURN(const TensorId numbers, lower.FloatsInMemory(node, operands.bias));
    bias.ReadTemp("src", numbers);
  } else if (biased) {
    bias.Read("src", operands.bias);
  }
  bias.WriteTemp("dst", temp).Define("BIAS", biased).Int("count", head);
  bias.Int("channels", packing.channels).Grid(head, 1, 1);
  TERN_RETURN_IF_ERROR(bias.Emit());
  DispatchBuilder filter = lower.Dispatch(node, packing.kernel);
  filter.Read("src", operands.filter).WriteTemp("dst", temp);
  filter.Int("first", head).Int("count", packing.filter_slices);
  packing.parameters(filter);
  return filter.Grid(packing.filter_slices, 1, 1).Emit();
}

absl::Status CheckBias(const Node& node, const Lowering& lower, int input, int channels) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* bias, lower.Input(node, input));
  if (bias->box().elements() == channels) return absl::OkStatus();
  return lower.Unsupported(
      node, StrCat("bias of ", bias->box().elements(), " numbers for ", channels, " channels"));
}

}  // namespace

absl::Status BindWeights(const Node& node, Lowering& lower, const WeightOperands& operands,
                         const FilterPacking& packing, DispatchBuilder& dispatch) {
  const bool biased = lower.Has(node, operands.bias);
  if (biased) TERN_RETURN_IF_ERROR(CheckBias(node, lower, operands.bias, packing.channels));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, operands.filter));
  if (!tensor->is_constant()) return PackOnDevice(node, lower, operands, packing, dispatch);
  TERN_ASSIGN_OR_RETURN(const ConstantFloats filter, lower.Weights(node, operands.filter));
  dispatch.Constant(
      "weights", packing.filter_slices,
      [filter, pack = packing.pack](std::span<float> packed) { pack(filter.Read(), packed); });
  std::optional<ConstantFloats> bias;
  if (biased && (*lower.Input(node, operands.bias))->is_constant()) {
    TERN_ASSIGN_OR_RETURN(bias, lower.Floats(node, operands.bias));
  } else if (biased) {
    dispatch.AddInput(operands.bias);
  }
  dispatch.Constant("bias", packing.bias_slices, [bias](std::span<float> packed) {
    if (!bias) return;
    const std::vector<float> values = bias->Read();
    std::copy(values.begin(), values.end(), packed.begin());
  });
  return absl::OkStatus();
}

int WeightBuffers(const Graph& graph, const Node& node, const WeightOperands& operands) {
  const auto computed = [&](int input) {
    return input < static_cast<int>(node.inputs.size()) && node.inputs[input] >= 0 &&
           !graph.tensors[node.inputs[input]].is_constant();
  };
  // A computed bias is an operand of the chain, unless it lies beside a computed filter.
  return 3 + (computed(operands.bias) && !computed(operands.filter) ? 1 : 0);
}

// A computed filter may hold an infinity, and zero times that is no zero.
bool HasConstantFilter(const Graph& graph, const Node& node) {
  return node.inputs.size() > 1 && node.inputs[1] >= 0 &&
         graph.tensors[node.inputs[1]].is_constant();
}

}  // namespace tern::gpu
