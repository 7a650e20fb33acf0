// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED on the GPU: a pointwise convolution whose pixels are the rows of the input; few
// rows share sums.
#include <algorithm>
#include <span>
#include <vector>

#include "base/status.h"
#include "ops/conv_2d/conv_2d_gpu.h"
#include "ops/fully_connected/block_rows_gpu.h"
#include "ops/fully_connected/fully_connected_rules.h"
#include "ops/gpu_kit/conv_algorithm_gpu.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// Where the rows of the input lie: in the operand, viewed as `box`, or in a temporary.
struct Rows {
  Box box;
  TensorId temp = -1;

  void ReadBy(DispatchBuilder& dispatch) const {
    if (temp >= 0) {
      dispatch.ReadTemp("src", temp);
    } else {
      dispatch.Read("src", 0, box);
    }
  }
};

// The rows as pixels of one line. Row-major tensors, and slices of a single image, lie so already.
absl::StatusOr<Rows> RowsAsLine(const Node& node, Lowering& lower, const Box& line) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  const bool row_major = lower.graph().LiesInRows(node.inputs[0]);
  const Box in = input->box();
  if (row_major || (in.c == line.c && (in.b == 1 || lower.Slices(in.c) == 1))) return Rows{line};
  const TensorId temp = lower.Temp(StrCat(Label(node), " rows"), line, Layout::kSlices);
  TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {0}, ReshapeGather(line.elements()), temp));
  return Rows{line, temp};
}

// `out` is a line, or sums are shared.
absl::Status EmitRows(const Node& node, Lowering& lower, const KernelConv& shape, const Rows& rows,
                      const Box& out, const ConvChoice& choice) {
  const TfLiteFusedActivation activation = node.Get<TfLiteFullyConnectedParams>().activation;
  if (choice.algorithm == ConvAlgorithm::kShared) {
    DispatchBuilder dispatch = lower.Dispatch(node, KernelId::shared_product);
    rows.ReadBy(dispatch);
    return EmitShared(node, lower, shape, out, choice.items, activation, /*channels_last=*/false,
                      dispatch);
  }
  const ConvTiles tiles = TilesFor(shape, lower, /*line=*/true);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::conv_1x1);
  rows.ReadBy(dispatch);
  dispatch.Write("dst", 0, out);
  WalkLanes(dispatch, tiles, KernelId::conv_1x1_lane_loop);
  TERN_RETURN_IF_ERROR(BindWeights(node, lower, {.decoding = shape.decoding},
                                   PackingOf(shape, tiles, /*channels_last=*/false), dispatch));
  const int pixels = std::min(tiles.pixels, std::max(out.w, 1));
  DefineLine(lower, tiles, pixels, out.w, dispatch);
  return dispatch.Activation(activation)
      .HalfParts(tiles.steps)
      .Grid(CeilDiv(out.w, pixels), tiles.blocks, 1)
      .Emit();
}

// Rows and output have the same places, or are both a line.
absl::Status EmitBlockRows(const Node& node, Lowering& lower, const KernelConv& shape,
                           const Rows& rows, const Box& out, const ConvChoice& choice) {
  DispatchBuilder dispatch = lower.Dispatch(node, BlockKernelOf(choice));
  rows.ReadBy(dispatch);
  return EmitBlocks(node, lower, shape, out, choice,
                    node.Get<TfLiteFullyConnectedParams>().activation, dispatch);
}

// The CPU's own takes 128 from every element of the input, whatever its zero point.
absl::Status CheckShuffled(const Node& node, Lowering& lower) {
  constexpr int kZeroPoint = 128;
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* weights, lower.Input(node, 1));
  const auto& q = input->quantized;
  if (!q || q->type != kTfLiteUInt8 || q->zero_point != kZeroPoint) {
    return lower.Unsupported(node, "shuffled weights beside an input whose zero is not UINT8 128",
                             {Reason::kQuantization});
  }
  if (!weights->is_constant()) {
    return lower.Unsupported(node, "shuffled weights are not constant", {Reason::kNotConstant});
  }
  return absl::OkStatus();
}

absl::Status LowerFullyConnected(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* weights, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const auto& params = node.Get<TfLiteFullyConnectedParams>();
  const bool shuffled = params.weights_format == kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8;
  if (!shuffled && params.weights_format != kTfLiteFullyConnectedWeightsFormatDefault) {
    return lower.Unsupported(node,
                             StrCat("weights format ", static_cast<int>(params.weights_format)),
                             {Reason::kOptions});
  }
  if (shuffled) TERN_RETURN_IF_ERROR(CheckShuffled(node, lower));
  if (params.activation == kTfLiteActTanh || params.activation == kTfLiteActSignBit) {
    return lower.Unsupported(
        node, StrCat("fused activation ", static_cast<int>(params.activation), " is not supported"),
        {Reason::kOptions});
  }
  const StatusOr<FullyConnectedShapes> shapes =
      FullyConnectedShapesOf(ShapeOf(*input), ShapeOf(*weights), params.keep_num_dims);
  if (!shapes.ok()) return lower.Unsupported(node, Message(shapes.status()));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, shapes->output));
  const Box in = input->box(), out = output->box();
  if (shapes->depth == 0) {
    // Without products there is no bias either.
    return EmitGather(node, lower, 0, {{out.elements()}, {0}, {0}, {0}}, Outside::kFill, 0.0f);
  }
  const KernelConv shape{.in = static_cast<int>(shapes->depth),
                         .out = static_cast<int>(shapes->units),
                         .decoding = shuffled ? Decoding::kShuffledWeights : Decoding::kWeights};
  const ConvChoice choice = ChooseProduct(lower, shape, shapes->rows);
  const bool by_block = SuitsBlockKernels(*weights, lower);
  // The kernel does not depend on fused operands that keep the rows from being a line: fusion must
  // not change the order of sums.
  if (in.b * int64_t{in.h} * in.w == shapes->rows && in.b == out.b && in.h == out.h &&
      in.w == out.w && (in.b > 1 || !lower.CanFlatten(node))) {
    if (by_block) return EmitBlockRows(node, lower, shape, {in}, out, choice);
    if (choice.algorithm == ConvAlgorithm::kShared)
      return EmitRows(node, lower, shape, {in}, out, choice);
    return EmitConv(node, lower, shape, {}, params.activation, false);
  }
  const int rows = static_cast<int>(shapes->rows);
  TERN_ASSIGN_OR_RETURN(const Rows from, RowsAsLine(node, lower, {1, 1, rows, shape.in}));
  if (by_block) return EmitBlockRows(node, lower, shape, from, {1, 1, rows, shape.out}, choice);
  return EmitRows(node, lower, shape, from, {1, 1, rows, shape.out}, choice);
}

}  // namespace

GpuOp FullyConnectedGpu() {
  const auto takes_ints = [](const Graph& graph, const Node& node, TensorId id) {
    return IsIntBias(graph, node, id);
  };
  const auto elements = [](const Graph&, const Node& node) -> ElementRule {
    const auto& params = node.Get<TfLiteFullyConnectedParams>();
    if (params.weights_format == kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8) {
      return SummedProducts{.float_product = true,
                            .decoding = Decoding::kShuffledStored,
                            .activation = params.activation};
    }
    return SummedProducts{.real = true, .activation = params.activation};
  };
  return {.lower = LowerFullyConnected,
          .traits = {.takes_ints = takes_ints, .elements = elements, .takes_epilogue = true}};
}

}  // namespace tern::gpu
