// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_LSTM: one LSTM over the sequence as it is and another one over it from its
// end. The outputs follow the input's order: two tensors, or both side by side in one.
// An auxiliary input without weights of its own is what the backward LSTM reads; with weights it
// joins the input of both.
#include "ops/cpu_registry.h"
#include "ops/lstm/lstm_cell.h"

namespace tern {
namespace {

class BidirectionalSequenceLstm : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "BIDIRECTIONAL_SEQUENCE_LSTM"; }
  Status Prepare(const OpCall& call) override;
  void Pack(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  LstmCell forward_, backward_;
};

using Params = TfLiteBidirectionalSequenceLSTMParams;

bool HasAuxWeights(const OpCall& call) {
  for (int g = 0; g < 2 * kLstmGates; ++g) {
    if (call.input(kForwardLstm.aux_weights + g) != nullptr) return true;
  }
  return false;
}

Status BidirectionalSequenceLstm::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const Params& params = call.params<Params>();
  TERN_RETURN_IF_ERROR(
      call.CheckOperands(1, kBidirectionalLstmInputs, params.merge_outputs ? 1 : 2));
  if (call.inputs() != kBidirectionalLstmInputs) {
    return Invalid("wrong number of inputs (", call.inputs(), ", expected ",
                   kBidirectionalLstmInputs, ")");
  }
  const TfLiteTensor *input = call.input(0), *aux = call.input(kLstmAux);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_ASSIGN_OR_RETURN(const SequenceShape shape, SequenceShapeOf(input, params.time_major));
  const bool weighed = HasAuxWeights(call);
  if (aux != nullptr) {
    TERN_RETURN_IF_ERROR(CheckType(aux, kTfLiteFloat32, "aux input"));
    TERN_RETURN_IF_ERROR(CheckRank(aux, 3, "aux input"));
    if (Dim(aux, 0) != Dim(input, 0) || Dim(aux, 1) != Dim(input, 1)) {
      return Invalid("input and aux input differ in time or batch (", ShapeText(ShapeOf(input)),
                     ", ", ShapeText(ShapeOf(aux)), ")");
    }
  } else if (weighed) {
    return Invalid("aux weights without an aux input");
  }
  const LstmOptions options{params.activation, params.cell_clip, params.proj_clip,
                            params.asymmetric_quantize_inputs, fast()};
  const int64_t aux_size = weighed ? Dim(aux, 2) : 0;
  if (weighed && aux_size == 0) return Invalid("the aux input has no values");
  const bool crossed = aux != nullptr && !weighed;
  TERN_RETURN_IF_ERROR(forward_.Prepare(
      call, kForwardLstm, {input->type, shape.batch, Dim(input, 2), aux_size}, options));
  TERN_RETURN_IF_ERROR(backward_.Prepare(
      call, kBackwardLstm, {input->type, shape.batch, Dim(crossed ? aux : input, 2), aux_size},
      options));
  const auto set = [&](int i, int64_t size) {
    return call.SetShape(call.output(i), {Dim(input, 0), Dim(input, 1), size});
  };
  for (int i = 0; i < call.outputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckType(call.output(i), kTfLiteFloat32, "output"));
  }
  if (params.merge_outputs) return set(0, forward_.outputs() + backward_.outputs());
  TERN_RETURN_IF_ERROR(set(0, forward_.outputs()));
  return set(1, backward_.outputs());
}

void BidirectionalSequenceLstm::Pack(const OpCall& call) {
  const StatusOr<SequenceShape> shape =
      SequenceShapeOf(call.input(0), call.params<Params>().time_major);
  if (!shape.ok()) return;
  forward_.Pack(call, *shape, Pool(call));
  backward_.Pack(call, *shape, Pool(call));
}

Status BidirectionalSequenceLstm::Eval(const OpCall& call) {
  const Params& params = call.params<Params>();
  const TfLiteTensor *input = call.input(0), *aux = call.input(kLstmAux);
  TERN_ASSIGN_OR_RETURN(const SequenceShape shape, SequenceShapeOf(input, params.time_major));
  const bool weighed = HasAuxWeights(call), merged = params.merge_outputs;
  LstmCell::Rows rows{shape, input, weighed ? aux : nullptr, call.output(0)};
  rows.output_stride = forward_.outputs() + (merged ? backward_.outputs() : 0);
  TERN_RETURN_IF_ERROR(forward_.Eval(call, rows, Pool(call)));
  if (aux != nullptr && !weighed) rows.input = aux;
  rows.output = call.output(merged ? 0 : 1);
  rows.output_offset = merged ? forward_.outputs() : 0;
  rows.output_stride = backward_.outputs() + rows.output_offset;
  rows.backward = true;
  return backward_.Eval(call, rows, Pool(call));
}

}  // namespace

TfLiteRegistration BidirectionalSequenceLstmRegistration(OpForm form) {
  return MakeRegistration<BidirectionalSequenceLstm>(form);
}

}  // namespace tern
