// SPDX-License-Identifier: Apache-2.0
// Checks of LSTM operands.
#include "ops/lstm/lstm_operands.h"

#include "ops/cpu_kit/dynamic_range.h"

namespace tern {
namespace {

const TfLiteTensor* At(const OpCall& call, int group, int index) {
  return group < 0 ? nullptr : call.input(group + index);
}

void GatherOperands(const OpCall& call, const LstmLayout& layout, LstmOperands& o) {
  for (int g = 0; g < kLstmGates; ++g) {
    LstmGate& gate = o.gates[g];
    gate.weights = At(call, layout.weights, g);
    gate.recurrent = At(call, layout.recurrent, g);
    gate.aux_weights = At(call, layout.aux_weights, g);
    if (g != kCandidate) gate.peephole = call.input(layout.PeepholeOf(g));
    gate.bias = At(call, layout.bias, g);
    gate.norm = At(call, layout.norm, g);
  }
  o.projection = call.input(layout.projection);
  o.projection_bias = call.input(layout.projection_bias);
  o.output_state = StateAt(call, layout.output_state);
  o.cell_state = StateAt(call, layout.cell_state);
  o.coupled = o.gates[kInputGate].weights == nullptr;
  o.peephole = o.gates[kOutputGate].peephole != nullptr;
  o.norm = o.gates[kForgetGate].norm != nullptr;
}

Status CheckPresent(bool present, bool wanted, const char* what, int gate) {
  if (present == wanted) return OkStatus();
  return Invalid(what, " of gate ", gate, wanted ? " is missing" : " is not expected");
}

// Which operands are there must fit together.
Status CheckPresence(const LstmOperands& o) {
  for (int g = 0; g < kLstmGates; ++g) {
    const LstmGate& gate = o.gates[g];
    const bool used = o.Uses(g);
    TERN_RETURN_IF_ERROR(CheckPresent(gate.weights != nullptr, used, "the weight matrix", g));
    TERN_RETURN_IF_ERROR(CheckPresent(gate.recurrent != nullptr, used, "the recurrent matrix", g));
    TERN_RETURN_IF_ERROR(CheckPresent(gate.bias != nullptr, used, "the bias", g));
    TERN_RETURN_IF_ERROR(
        CheckPresent(gate.aux_weights != nullptr, used && o.aux_inputs > 0, "the aux matrix", g));
    TERN_RETURN_IF_ERROR(
        CheckPresent(gate.peephole != nullptr, o.HasPeephole(g), "the peephole", g));
    TERN_RETURN_IF_ERROR(CheckPresent(gate.norm != nullptr, o.HasNorm(g), "the layer norm", g));
  }
  if (o.projection == nullptr && o.projection_bias != nullptr) {
    return Invalid("a projection bias without a projection");
  }
  if (o.output_state == nullptr) return Invalid("the output state is missing");
  if (o.cell_state == nullptr) return Invalid("the cell state is missing");
  return OkStatus();
}

Status CheckGate(const LstmOperands& o, const LstmGate& gate) {
  if (gate.weights == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckShape(gate.weights, o.Weights(), "a weight matrix"));
  TERN_RETURN_IF_ERROR(CheckShape(gate.recurrent, o.Recurrent(), "a recurrent matrix"));
  TERN_RETURN_IF_ERROR(CheckShape(gate.bias, o.PerCell(), "a bias"));
  const TfLiteType weights = o.gates[kOutputGate].weights->type;
  const bool integer = o.form == LstmForm::kInteger;
  TERN_RETURN_IF_ERROR(CheckType(gate.weights, weights, "weights"));
  // Diagonals may stay floats beside 8-bit matrices.
  const bool float_diagonal = o.diagonal && gate.recurrent->type == kTfLiteFloat32;
  TERN_RETURN_IF_ERROR(
      CheckType(gate.recurrent, float_diagonal ? kTfLiteFloat32 : weights, "recurrent weights"));
  TERN_RETURN_IF_ERROR(CheckType(gate.bias, integer ? kTfLiteInt32 : kTfLiteFloat32, "bias"));
  if (gate.aux_weights != nullptr) {
    TERN_RETURN_IF_ERROR(CheckShape(gate.aux_weights, o.AuxWeights(), "an aux matrix"));
    TERN_RETURN_IF_ERROR(CheckType(gate.aux_weights, weights, "aux weights"));
  }
  if (gate.peephole != nullptr) {
    TERN_RETURN_IF_ERROR(CheckShape(gate.peephole, o.PerCell(), "a peephole"));
    TERN_RETURN_IF_ERROR(
        CheckType(gate.peephole, integer ? kTfLiteInt16 : weights, "peephole weights"));
  }
  if (gate.norm != nullptr) {
    TERN_RETURN_IF_ERROR(CheckShape(gate.norm, o.PerCell(), "a layer norm"));
    TERN_RETURN_IF_ERROR(
        CheckType(gate.norm, integer ? kTfLiteInt16 : kTfLiteFloat32, "layer norm"));
  }
  return OkStatus();
}

Status CheckProjection(const LstmOperands& o) {
  if (o.projection == nullptr) {
    if (o.cells == o.outputs) return OkStatus();
    return Invalid("cells and outputs differ without a projection (", o.cells, ", ", o.outputs,
                   ")");
  }
  TERN_RETURN_IF_ERROR(CheckShape(o.projection, o.Projection(), "the projection"));
  TERN_RETURN_IF_ERROR(CheckType(o.projection, o.gates[kOutputGate].weights->type, "projection"));
  if (o.projection_bias == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckShape(o.projection_bias, o.ProjectionBias(), "the projection bias"));
  return CheckType(o.projection_bias, o.form == LstmForm::kInteger ? kTfLiteInt32 : kTfLiteFloat32,
                   "projection bias");
}

StatusOr<LstmForm> FormOf(TfLiteType input, const TfLiteTensor* weights) {
  if (input == kTfLiteFloat32 && weights->type == kTfLiteFloat32) return LstmForm::kFloat;
  if (input == kTfLiteFloat32 && IsDynamicRangeWeight(weights)) return LstmForm::kDynamicRange;
  if (input == kTfLiteInt8 && weights->type == kTfLiteInt8) return LstmForm::kInteger;
  return Unsupported("input of type ", TypeText(input), " with weights of type ",
                     TypeText(weights->type), " is not supported yet");
}

}  // namespace

StatusOr<LstmOperands> ReadLstmOperands(const OpCall& call, const LstmLayout& layout,
                                        const LstmInput& input, const LstmOptions& options) {
  LstmOperands o;
  GatherOperands(call, layout, o);
  o.batch = input.batch;
  o.inputs = input.inputs;
  o.aux_inputs = input.aux_inputs;
  o.diagonal = input.diagonal;
  TERN_RETURN_IF_ERROR(CheckPresence(o));
  if (!(options.cell_clip >= 0) || !(options.projection_clip >= 0)) {
    return Invalid("a clip limit is negative (", options.cell_clip, ", ", options.projection_clip,
                   ")");
  }
  const LstmGate& gate = o.gates[kOutputGate];
  TERN_ASSIGN_OR_RETURN(o.form, FormOf(input.type, gate.weights));
  if (o.diagonal && o.form == LstmForm::kInteger) {
    return Unsupported("diagonal recurrent matrices are not supported with input of type ",
                       TypeText(input.type));
  }
  if (Rank(gate.weights) != 2 || Rank(gate.recurrent) != static_cast<int>(o.RecurrentRank())) {
    return Invalid("weights have the wrong rank (", Rank(gate.weights), ", ", Rank(gate.recurrent),
                   ")");
  }
  o.cells = Dim(gate.weights, 0);
  o.outputs = Dim(gate.recurrent, o.diagonal ? 0 : 1);
  for (const LstmGate& each : o.gates) TERN_RETURN_IF_ERROR(CheckGate(o, each));
  TERN_RETURN_IF_ERROR(CheckProjection(o));
  const bool integer = o.form == LstmForm::kInteger;
  // Models declare an integer output state as INT16, too; it holds bytes all the same.
  const TfLiteType state = !integer                               ? kTfLiteFloat32
                           : o.output_state->type == kTfLiteInt16 ? kTfLiteInt16
                                                                  : kTfLiteInt8;
  TERN_RETURN_IF_ERROR(CheckState(o.output_state, state, o.batch * o.outputs, "the output state"));
  TERN_RETURN_IF_ERROR(CheckState(o.cell_state, integer ? kTfLiteInt16 : kTfLiteFloat32,
                                  o.batch * o.cells, "the cell state"));
  return o;
}

Status CheckWeightData(const LstmOperands& o) {
  Status status = OkStatus();
  ForEachWeight(o, [&](const TfLiteTensor* t) {
    if (status.ok() && t != nullptr) status = CheckData(t, "a weight, bias or coefficient");
  });
  return status;
}

bool HasConstantWeights(const LstmOperands& o) {
  bool constant = true;
  ForEachWeight(
      o, [&](const TfLiteTensor* t) { constant = constant && (t == nullptr || IsConstant(t)); });
  return constant;
}

}  // namespace tern
