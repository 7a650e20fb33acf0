// SPDX-License-Identifier: Apache-2.0
// The basic kernel of LSTM on the GPU: each gate is a product with the input
// and one with the previous activation; elementwise epilogues make the new state and activation of
// them. States that are variables come back as two further
// outputs, 4 and 5.
#include <utility>
#include <vector>

#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/lstm/basic_lstm_rules.h"
#include "ops/lstm/full_lstm_gpu.h"
#include "ops/lstm/gate_product_gpu.h"

namespace tern::gpu {
namespace {

using namespace basic_lstm;

// Outputs that the graph adds for variables.
enum NextState { kNextActivation = kOutputs, kNextState };

Box CellBox(const Sizes& s) { return {1, 1, static_cast<int>(s.batch), static_cast<int>(s.cells)}; }

absl::StatusOr<Sizes> SizesOf(const Node& node, const Lowering& lower) {
  if (node.inputs.size() != kInputs || node.outputs.size() < kOutputs) {
    return lower.Unsupported(
        node,
        StrCat("wrong number of operands (", node.inputs.size(), ", ", node.outputs.size(), ")"),
        {Reason::kOperands});
  }
  std::vector<Shape> shapes;
  for (int i = 0; i < kInputs; ++i) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, i));
    shapes.push_back(ShapeOf(*tensor));
    if (i != kWeights && i != kBias && tensor->is_constant()) {
      return lower.Unsupported(node, StrCat("operand ", i, " is constant"), {Reason::kOperands});
    }
  }
  if (shapes[kInput].size() != 2 || shapes[kPreviousState].size() != 2) {
    return lower.Unsupported(node, "input and state must have rank 2");
  }
  const Sizes sizes = {shapes[kInput][0], shapes[kInput][1], shapes[kPreviousState][1]};
  if (shapes[kPreviousState] != sizes.State() || shapes[kPreviousActivation] != sizes.State() ||
      shapes[kWeights] != sizes.Weights() || shapes[kBias] != sizes.Bias()) {
    return lower.Unsupported(node, "the operands' shapes do not fit together");
  }
  return sizes;
}

// Emits the products of a gate. Returns their sum, which goes into the gate's activation.
absl::StatusOr<TensorId> EmitGate(const Node& node, Lowering& lower, const Sizes& s, int gate) {
  const auto temp = [&](const char* what) {
    return lower.Temp(StrCat(Label(node), " gate ", gate, what), CellBox(s), Layout::kSlices);
  };
  const TensorId from_input = temp(" of the input"), sum = temp("");
  GateProduct product{.rows = {.number = kInput},
                      .weights = kWeights,
                      .first_row = gate * s.cells,
                      .row_size = s.Columns(),
                      .columns = static_cast<int>(s.inputs),
                      .units = static_cast<int>(s.cells),
                      .batch = static_cast<int>(s.batch),
                      .bias = kBias,
                      .first_bias = gate * s.cells};
  TERN_RETURN_IF_ERROR(EmitGateProduct(node, lower, product, {}, from_input));
  product.rows = {.number = kPreviousActivation};
  product.first_column = s.inputs;
  product.columns = static_cast<int>(s.cells);
  product.bias = -1;
  TERN_RETURN_IF_ERROR(
      EmitGateProduct(node, lower, product, {{{.expression = "v + w"}, from_input}}, sum));
  return sum;
}

// concat_temp and activation_temp hold what they hold on the CPU where somebody
// reads them.
absl::Status EmitTemporaries(const Node& node, Lowering& lower, const Sizes& s,
                             const TensorId gates[]) {
  const auto read = [&](int output) {
    const TensorId id = node.outputs[static_cast<size_t>(output)];
    return lower.graph().IsOutput(id) || !lower.graph().Consumers(id).empty();
  };
  if (read(kJoined)) {
    TERN_RETURN_IF_ERROR(EmitCopy(node, lower, {.number = kInput},
                                  PlaceGather({s.batch, s.inputs}, s.Joined(), {0, 0}),
                                  {.number = kJoined}, Outside::kAppend, 0));
    TERN_RETURN_IF_ERROR(EmitCopy(node, lower, {.number = kPreviousActivation},
                                  PlaceGather(s.State(), s.Joined(), {0, s.inputs}),
                                  {.number = kJoined}, Outside::kAppend, 0));
  }
  if (!read(kGates)) return absl::OkStatus();
  for (int gate = 0; gate < kGateCount; ++gate) {
    const Gather place = PlaceGather(s.State(), s.Gates(), {0, gate * s.cells});
    TERN_RETURN_IF_ERROR(EmitCopy(node, lower, {.temp = gates[gate]}, place, {.number = kGates},
                                  Outside::kAppend, 0));
  }
  return absl::OkStatus();
}

// The new values of the variables, once nothing reads the old ones any more.
absl::Status EmitNextStates(const Node& node, Lowering& lower, const Sizes& s) {
  if (node.outputs.size() <= kNextState) return absl::OkStatus();
  for (const auto& [from, to] : {std::pair{kActivation, kNextActivation}, {kState, kNextState}}) {
    const TensorId value = node.outputs[static_cast<size_t>(from)];
    TERN_RETURN_IF_ERROR(EmitCellSteps(node, lower, {{{.expression = "w", .operand = value}}},
                                       CellBox(s), {.number = to}));
  }
  return absl::OkStatus();
}

bool HasBasicKernel(const Node& node) {
  return node.Get<TfLiteLSTMParams>().kernel_type == kTfLiteLSTMBasicKernel;
}

std::vector<int> States(const Node& node) {
  if (!HasBasicKernel(node)) return FullLstmStates(node);
  if (node.inputs.size() <= kPreviousState) return {};
  return {kPreviousActivation, kPreviousState};
}

absl::Status LowerLstm(const Node& node, Lowering& lower) {
  const auto& params = node.Get<TfLiteLSTMParams>();
  if (!HasBasicKernel(node)) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
    TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
    TERN_ASSIGN_OR_RETURN(const GraphTensor* state, lower.Input(node, kLstmLayout.output_state));
    if (in->dims.size() != 2 || out->dims != state->dims) {
      return lower.Unsupported(node, "output and output state differ in shape");
    }
    return LowerFullLstm(node, lower, {params.activation, params.cell_clip, params.proj_clip});
  }
  if (params.activation != kTfLiteActTanh) {
    return lower.Unsupported(node,
                             StrCat("fused activation ", static_cast<int>(params.activation),
                                    ", only TANH runs on the GPU"),
                             {Reason::kOptions});
  }
  if (params.cell_clip != 0 || params.proj_clip != 0) {
    return lower.Unsupported(node, "clip limits of the basic kernel", {Reason::kOptions});
  }
  TERN_ASSIGN_OR_RETURN(const Sizes s, SizesOf(node, lower));
  TensorId gates[kGateCount];
  for (int gate = 0; gate < kGateCount; ++gate) {
    TERN_ASSIGN_OR_RETURN(gates[gate], EmitGate(node, lower, s, gate));
  }
  const TensorId taken = lower.Temp(StrCat(Label(node), " taken"), CellBox(s), Layout::kSlices);
  TERN_RETURN_IF_ERROR(
      EmitCellSteps(node, lower,
                    {{{.expression = "w"}, gates[basic_lstm::kInputGate]},
                     {{.expression = kLogisticOfV}},
                     {{.expression = "v * tanh(w)"}, gates[basic_lstm::kCandidate]}},
                    CellBox(s), {.temp = taken}));
  TERN_RETURN_IF_ERROR(
      EmitCellSteps(node, lower,
                    {{{.expression = "w"}, gates[basic_lstm::kForgetGate]},
                     {{.expression = kLogisticOfV}},
                     {{.expression = "v * w", .operand = node.inputs[kPreviousState]}},
                     {{.expression = "v + w"}, taken}},
                    CellBox(s), {.number = kState}));
  TERN_RETURN_IF_ERROR(
      EmitCellSteps(node, lower,
                    {{{.expression = "w"}, gates[basic_lstm::kOutputGate]},
                     {{.expression = kLogisticOfV}},
                     {{.expression = "v * tanh(w)", .operand = node.outputs[kState]}}},
                    CellBox(s), {.number = kActivation}));
  TERN_RETURN_IF_ERROR(EmitTemporaries(node, lower, s, gates));
  return EmitNextStates(node, lower, s);
}

}  // namespace

GpuOp LstmGpu() { return {.lower = LowerLstm, .traits = {.states = States}}; }

}  // namespace tern::gpu
