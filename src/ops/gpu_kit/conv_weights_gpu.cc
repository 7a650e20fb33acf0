// SPDX-License-Identifier: Apache-2.0
// Tiles and packing of convolution weights.
#include "ops/gpu_kit/conv_weights_gpu.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/status.h"

namespace tern::gpu {

ConvTiles TilesFor(const KernelConv& shape, const Lowering& lower, bool line) {
  ConvTiles tiles;
  const NodeTuning& tuning = lower.tuning();
  const int w = lower.slice_width();
  const int out_slices = (shape.out + w - 1) / w;
  tiles.slice_width = w;
  // A block of several slices pays when few of its slices lie past the last channel.
  const int slices = line ? tuning.line_slices : tuning.slices;
  const bool even = out_slices % slices == 0 || out_slices > 2 * slices;
  tiles.slices = shape.groups == 1 && even ? slices : 1;
  tiles.pixels = line ? tuning.line_pixels : tuning.pixels;
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

void DefineLine(const Lowering& lower, const ConvTiles& tiles, int pixels, int64_t width,
                DispatchBuilder& dispatch, int matrices) {
  dispatch.Define("PIXELS", pixels).Define("SLICES", tiles.slices).Define("MATRICES", matrices);
  dispatch.Define("ONE_CURSOR", lower.one_cursor() && width >= pixels);
}

void WalkLanes(DispatchBuilder& dispatch, const ConvTiles& tiles, KernelId lane_loop,
               bool with_zero) {
  constexpr int kShort = 4;
  if (tiles.slice_width > kShort && dispatch.LanesInMemory("src", with_zero)) {
    dispatch.Kernel(lane_loop).Define("LANE_LOOP", 1).Int("lanes", tiles.lanes);
  } else {
    dispatch.Define("LANES", tiles.lanes);
  }
}

int FirstSourceSlice(const KernelConv& shape, const ConvTiles& tiles, int block) {
  const int first_out = block * tiles.slices * tiles.slice_width;
  return first_out / shape.GroupOut() * shape.GroupIn() / tiles.slice_width;
}

FilterPacking PackingOf(const KernelConv& shape, const ConvTiles& tiles, bool channels_last) {
  if (channels_last) return PackingOf(shape, tiles, FilterOrder{1, shape.out, 0});
  const int64_t row = shape.GroupIn();
  return PackingOf(shape, tiles, FilterOrder{row * shape.height * shape.width, row, 1});
}

FilterPacking PackingOf(const KernelConv& shape, const ConvTiles& tiles, const FilterOrder& order) {
  return {.out_channels = shape.out,
          .group_in = shape.GroupIn(),
          .group_out = shape.GroupOut(),
          .taps = shape.height * shape.width,
          .blocks = tiles.blocks,
          .steps = tiles.steps,
          .lanes = tiles.lanes,
          .slices = tiles.slices,
          .out_step = order.out,
          .tap_step = order.tap,
          .in_step = order.in};
}

namespace {

// The floats of an operand of INT64.
absl::Status EmitInt64AsReals(const Node& node, Lowering& lower, int input, TensorId to) {
  const Box box = lower.TempBox(to);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::long_to_real);
  dispatch.ReadInt64Half("low", input, 0, box)
      .ReadInt64Half("high", input, 1, box)
      .WriteTemp("dst", to);
  dispatch.Define("TRUTH", 0);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

// One for each channel, or for all.
absl::StatusOr<std::vector<float>> FilterScales(const Node& node, const Lowering& lower,
                                                const GraphTensor& filter, int channels) {
  if (filter.quantized) return std::vector<float>{filter.quantized->scale};
  const AffineQuantization* q = filter.affine();
  const size_t count = q == nullptr ? 0 : q->scales.size();
  if (count != 1 && (count == 0 || count != static_cast<size_t>(channels))) {
    return lower.Unsupported(node, "a whole bias beside a filter without scales",
                             {Reason::kQuantization});
  }
  return q->scales;
}

// The real values of a computed bias of INT32 or INT64: sums of products of elements.
absl::StatusOr<TensorId> EmitBiasNumbers(const Node& node, Lowering& lower,
                                         const WeightOperands& operands, int channels) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, operands.input));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* filter, lower.Input(node, operands.filter));
  if (!input->quantized) {
    return lower.Unsupported(node, "a whole bias beside numbers that are not quantized",
                             {Reason::kTensorType});
  }
  TERN_ASSIGN_OR_RETURN(std::vector<float> scales, FilterScales(node, lower, *filter, channels));
  if (scales.size() == 1) scales.resize(static_cast<size_t>(channels), scales[0]);
  for (float& scale : scales) scale *= input->quantized->scale;
  const TensorId temp =
      lower.FloatTemp(StrCat(Label(node), " bias"), {1, 1, 1, channels}, Layout::kSlices);
  TERN_ASSIGN_OR_RETURN(const GraphTensor* bias, lower.Input(node, operands.bias));
  const bool is_int64 = bias->type == kTfLiteInt64;
  const TensorId reals = is_int64 ? lower.FloatTemp(StrCat(Label(node), " bias in whole numbers"),
                                                    lower.TempBox(temp), Layout::kSlices)
                                  : -1;
  if (is_int64) TERN_RETURN_IF_ERROR(EmitInt64AsReals(node, lower, operands.bias, reals));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::bias_numbers);
  if (is_int64) {
    dispatch.ReadTemp("src", reals);
  } else {
    dispatch.Read("src", operands.bias);
  }
  dispatch.WriteTemp("dst", temp).Define("REALS", is_int64);
  dispatch.ConstantValues("scales", std::move(scales));
  TERN_RETURN_IF_ERROR(dispatch.Grid(lower.Slices(channels), 1, 1).Emit());
  return temp;
}

// Filter and bias as one vector that the device fills: a slice of zeros, the bias, the filter. One
// buffer for all of them, because some devices bind four in all.
absl::Status PackOnDevice(const Node& node, Lowering& lower, const WeightOperands& operands,
                          const FilterPacking& packing, DispatchBuilder& dispatch) {
  const int64_t head = 1 + packing.bias_slices(), slices = head + packing.filter_slices();
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
  TensorId numbers = -1;
  if (biased && (*lower.Input(node, operands.bias))->number() == Number::kInt) {
    const bool constant = (*lower.Input(node, operands.bias))->is_constant();
    TERN_ASSIGN_OR_RETURN(numbers,
                          constant ? lower.FloatsInMemory(node, operands.bias)
                                   : EmitBiasNumbers(node, lower, operands, packing.out_channels));
  }
  DispatchBuilder bias = lower.Dispatch(node, KernelId::pack_bias);
  if (numbers >= 0) {
    bias.ReadTemp("src", numbers);
  } else if (biased) {
    bias.Read("src", operands.bias);
  }
  bias.WriteTemp("dst", temp).Define("BIAS", biased).Int("count", head);
  bias.Int("channels", packing.out_channels).Grid(head, 1, 1);
  TERN_RETURN_IF_ERROR(bias.Emit());
  DispatchBuilder filter = lower.Dispatch(node, KernelId::pack_weights);
  filter.Read("src", operands.filter).WriteTemp("dst", temp);
  filter.Define("LANES", packing.lanes).Define("SLICES", packing.slices);
  filter.Int("first", head).Int("count", packing.filter_slices());
  filter.Int("steps", packing.steps).Int("taps", packing.taps);
  filter.Int("out_step", packing.out_step).Int("tap_step", packing.tap_step);
  filter.Int("in_step", packing.in_step).Int("group_in", packing.group_in);
  filter.Int("group_out", packing.group_out).Int("out_channels", packing.out_channels);
  return filter.Grid(packing.filter_slices(), 1, 1).Emit();
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
  if (lower.Has(node, operands.bias))
    TERN_RETURN_IF_ERROR(CheckBias(node, lower, operands.bias, packing.out_channels));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, operands.filter));
  if (!tensor->is_constant()) return PackOnDevice(node, lower, operands, packing, dispatch);
  if (node.requantization) {
    dispatch.PackableFilter("weights", operands.filter, packing, node.requantization->filter);
    dispatch.Requantize(packing.bias_slices(), packing.out_channels);
    return absl::OkStatus();
  }
  if (*operands.block_scales != '\0') {
    dispatch.BlockFilter("weights", operands.block_scales, operands.filter, packing);
  } else {
    dispatch.PackableFilter("weights", operands.filter, packing, operands.decoding);
  }
  return BindBias(node, lower, operands, packing.out_channels, packing.bias_slices(), dispatch);
}

absl::Status BindBias(const Node& node, Lowering& lower, const WeightOperands& operands,
                      int channels, int64_t slices, DispatchBuilder& dispatch) {
  const bool biased = lower.Has(node, operands.bias);
  if (biased) TERN_RETURN_IF_ERROR(CheckBias(node, lower, operands.bias, channels));
  const bool constant_bias = biased && (*lower.Input(node, operands.bias))->is_constant();
  if (biased && !constant_bias) {
    if ((*lower.Input(node, operands.bias))->number() == Number::kInt) {
      TERN_ASSIGN_OR_RETURN(const TensorId numbers,
                            EmitBiasNumbers(node, lower, operands, channels));
      dispatch.StepWithTemp({.expression = "v + w"}, numbers);
    } else {
      dispatch.AddInput(operands.bias);
    }
  }
  dispatch.ConstantRow("bias", slices, constant_bias ? operands.bias : -1, channels);
  return absl::OkStatus();
}

bool IsIntBias(const Graph& graph, const Node& node, TensorId id, const WeightOperands& operands) {
  const auto at = [&](int input) {
    return static_cast<size_t>(input) < node.inputs.size() ? node.inputs[input] : -1;
  };
  const TensorId input = at(operands.input);
  if (input < 0 || !graph.tensors[input].quantized) return false;
  const bool is_int64 = graph.tensors[id].type == kTfLiteInt64;
  return id == at(operands.bias) && std::count(node.inputs.begin(), node.inputs.end(), id) == 1 &&
         (!is_int64 || graph.tensors[input].quantized->type == kTfLiteInt16);
}

ElementRule SummedElements(const Graph& graph, const Node& node, SummedProducts operands,
                           TfLiteType bias_type) {
  const auto input = static_cast<size_t>(operands.input);
  if (node.inputs.size() <= input || node.inputs[input] < 0) return Rounded{};
  const auto bias = static_cast<size_t>(operands.bias);
  if (node.inputs.size() > bias && node.inputs[bias] >= 0) {
    bias_type = graph.tensors[node.inputs[bias]].data_type();
  }
  const auto& in = graph.tensors[node.inputs[input]].quantized;
  operands.wide = in && in->type == kTfLiteInt16 && bias_type != kTfLiteInt32;
  operands.float_product = in && in->type == kTfLiteUInt8;
  return operands;
}

// A computed filter may hold an infinity, and zero times that is no zero.
bool HasConstantFilter(const Graph& graph, const Node& node) {
  return node.inputs.size() > 1 && node.inputs[1] >= 0 &&
         graph.tensors[node.inputs[1]].is_constant();
}

}  // namespace tern::gpu
