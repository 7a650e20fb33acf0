// SPDX-License-Identifier: Apache-2.0
// Plain recurrent cells on the GPU: what the input gives at all steps is one product, then each
// step is one.
#include <algorithm>
#include <vector>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/lstm/state_sequence_gpu.h"
#include "ops/rnn/rnn_rules.h"

namespace tern::gpu {
namespace {

// The options and operands with which a node runs a cell.
struct RnnRun {
  RnnLayout at = kRnnLayout;
  TfLiteFusedActivation activation = kTfLiteActNone;
  bool sequence = false, time_major = true, backward = false;
  int input = 0, aux = -1;  // operands; -1: none
  int output = 0;
  int64_t channel = 0;  // of the output, from which on the results lie
  int next_state = 1;   // output that takes the next state of a variable, where the node has it
};

struct RnnSizes {
  int64_t inputs = 0, aux_inputs = 0, units = 0;
};

absl::Status CheckShape(const Node& node, const Lowering& lower, int input, const Shape& want) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, input));
  if (ShapeOf(*tensor) == want) return absl::OkStatus();
  return lower.Unsupported(
      node, StrCat("operand ", input, " has the shape ", ShapeText(ShapeOf(*tensor)), ", expected ",
                   ShapeText(want)));
}

// The CPU prepares a node with weights of any type, so types that are no numbers of a matrix reach
// this place.
absl::Status CheckWeights(const Node& node, const Lowering& lower, int input, const Shape& want) {
  TERN_RETURN_IF_ERROR(CheckShape(node, lower, input, want));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, input));
  switch (const TfLiteType type = tensor->data_type()) {
    case kTfLiteFloat32:
    case kTfLiteFloat16:
    case kTfLiteInt8:
    case kTfLiteUInt8:
      return absl::OkStatus();
    default:
      return lower.Unsupported(
          node, StrCat("operand ", input, " has weights of type ", TfLiteTypeGetName(type)),
          {Reason::kTensorType});
  }
}

absl::StatusOr<int64_t> UnitsOf(const Node& node, const Lowering& lower, const RnnLayout& at) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* bias, lower.Input(node, at.bias));
  if (bias->dims.size() == 1 && bias->dims[0] > 0) return bias->dims[0];
  return lower.Unsupported(node, StrCat("a bias of shape ", ShapeText(ShapeOf(*bias))));
}

// The rows of both inputs have the same places.
absl::StatusOr<int64_t> WidthBeside(const Node& node, const Lowering& lower, int input,
                                    const Shape& beside) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, input));
  const Shape shape = ShapeOf(*tensor);
  if (shape.size() == beside.size() && std::equal(shape.begin(), shape.end() - 1, beside.begin())) {
    return shape.back();
  }
  return lower.Unsupported(
      node, StrCat("inputs of the shapes ", ShapeText(beside), " and ", ShapeText(shape)));
}

absl::StatusOr<RnnSizes> SizesOf(const Node& node, const Lowering& lower, const RnnRun& run,
                                 const Shape& in) {
  RnnSizes s;
  s.inputs = in.back();
  TERN_ASSIGN_OR_RETURN(s.units, UnitsOf(node, lower, run.at));
  TERN_RETURN_IF_ERROR(CheckWeights(node, lower, run.at.weights, {s.units, s.inputs}));
  TERN_RETURN_IF_ERROR(CheckWeights(node, lower, run.at.recurrent, {s.units, s.units}));
  if (run.aux >= 0) {
    TERN_ASSIGN_OR_RETURN(s.aux_inputs, WidthBeside(node, lower, run.aux, in));
    TERN_RETURN_IF_ERROR(CheckWeights(node, lower, run.at.aux_weights, {s.units, s.aux_inputs}));
  }
  if (HasCellActivation(run.activation)) return s;
  return lower.Unsupported(node, StrCat("fused activation ", static_cast<int>(run.activation)),
                           {Reason::kOptions});
}

absl::Status LowerCell(const Node& node, Lowering& lower, const RnnRun& run) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, run.input));
  const Shape in = ShapeOf(*input);
  if (input->is_constant() || in.size() != (run.sequence ? 3u : 2u)) {
    return lower.Unsupported(node, StrCat("input of shape ", ShapeText(in)));
  }
  TERN_ASSIGN_OR_RETURN(const RnnSizes s, SizesOf(node, lower, run, in));
  SequenceOrder order = OrderOf(in, run.time_major);
  order.backward = run.backward;
  if (order.time < 1 || order.batch < 1) {
    return lower.Unsupported(
        node, StrCat("nothing to compute (", order.time, " steps, batch ", order.batch, ")"));
  }
  TERN_RETURN_IF_ERROR(CheckShape(node, lower, run.at.state, {order.batch, s.units}));
  TensorId pre = -1;
  if (run.aux >= 0) {
    TERN_ASSIGN_OR_RETURN(pre,
                          EmitRowProducts(node, lower, run.aux,
                                          {{{run.at.aux_weights, -1}}, s.aux_inputs, s.units}, -1));
  }
  TERN_ASSIGN_OR_RETURN(pre,
                        EmitRowProducts(node, lower, run.input,
                                        {{{run.at.weights, run.at.bias}}, s.inputs, s.units}, pre));
  StateSequence states(node, lower, order, {s.units});
  TERN_RETURN_IF_ERROR(states.Begin(0, run.at.state));
  const CellLaunch launch = LaunchOf(lower, order, lower.Slices(static_cast<int>(s.units)), 1);
  const StateProduct product{.weights = run.at.recurrent,
                             .units = s.units,
                             .from_size = s.units,
                             .pre = pre,
                             .activation = run.activation};
  for (int64_t step = 0; step < order.time; step += launch.steps) {
    TERN_RETURN_IF_ERROR(EmitStateProduct(node, lower, states, product, launch, step));
  }
  TERN_RETURN_IF_ERROR(states.Give(0, run.output, run.channel));
  if (node.outputs.size() <= static_cast<size_t>(run.next_state)) return absl::OkStatus();
  return states.End(0, run.next_state);
}

absl::Status LowerOne(const Node& node, Lowering& lower, const RnnRun& run) {
  TERN_ASSIGN_OR_RETURN(const int64_t units, UnitsOf(node, lower, run.at));
  TERN_RETURN_IF_ERROR(CheckRows(node, lower, 0, units));
  return LowerCell(node, lower, run);
}

absl::Status LowerRnn(const Node& node, Lowering& lower) {
  return LowerOne(node, lower, {.activation = node.Get<TfLiteRNNParams>().activation});
}

absl::Status LowerUnidirectionalRnn(const Node& node, Lowering& lower) {
  const auto& p = node.Get<TfLiteSequenceRNNParams>();
  return LowerOne(node, lower,
                  {.activation = p.activation, .sequence = true, .time_major = p.time_major});
}

absl::Status LowerBidirectionalRnn(const Node& node, Lowering& lower) {
  const auto& p = node.Get<TfLiteBidirectionalSequenceRNNParams>();
  const bool aux = lower.Has(node, kRnnAux);
  const bool weighed =
      lower.Has(node, kForwardRnn.aux_weights) || lower.Has(node, kBackwardRnn.aux_weights);
  if (weighed && !aux)
    return lower.Unsupported(node, "aux weights without an aux input", {Reason::kOperands});
  RnnRun forward{.activation = p.activation, .sequence = true, .time_major = p.time_major};
  forward.at = kForwardRnn;
  if (weighed) forward.aux = kRnnAux;
  RnnRun backward = forward;
  backward.at = kBackwardRnn;
  backward.backward = true;
  if (aux && !weighed) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
    TERN_RETURN_IF_ERROR(WidthBeside(node, lower, kRnnAux, ShapeOf(*in)).status());
    backward.input = kRnnAux;
  }
  TERN_ASSIGN_OR_RETURN(const int64_t first, UnitsOf(node, lower, forward.at));
  TERN_ASSIGN_OR_RETURN(const int64_t second, UnitsOf(node, lower, backward.at));
  TERN_RETURN_IF_ERROR(CheckRows(node, lower, 0, p.merge_outputs ? first + second : first));
  if (p.merge_outputs) {
    backward.channel = first;
  } else {
    TERN_RETURN_IF_ERROR(CheckRows(node, lower, 1, second));
    backward.output = 1;
  }
  forward.next_state = p.merge_outputs ? 1 : 2;
  backward.next_state = forward.next_state + 1;
  TERN_RETURN_IF_ERROR(LowerCell(node, lower, forward));
  return LowerCell(node, lower, backward);
}

std::vector<int> OneState(const Node& node) {
  if (node.inputs.size() <= size_t{kRnnLayout.state}) return {};
  return {kRnnLayout.state};
}

std::vector<int> BothStates(const Node& node) {
  if (node.inputs.size() <= size_t{kBackwardRnn.state}) return {};
  return {kForwardRnn.state, kBackwardRnn.state};
}

}  // namespace

GpuOp RnnGpu() { return {.lower = LowerRnn, .traits = {.states = OneState}}; }
GpuOp UnidirectionalSequenceRnnGpu() {
  return {.lower = LowerUnidirectionalRnn, .traits = {.states = OneState}};
}
GpuOp BidirectionalSequenceRnnGpu() {
  return {.lower = LowerBidirectionalRnn, .traits = {.states = BothStates}};
}

}  // namespace tern::gpu
