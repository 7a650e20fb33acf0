// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_LSTM: an LSTM over [time, batch, size] or [batch, time, size]. Its state
// lives in variables and goes on from run to run.
#include "ops/cpu_registry.h"
#include "ops/lstm/lstm_cell.h"

namespace tern {
namespace {

class UnidirectionalSequenceLstm : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "UNIDIRECTIONAL_SEQUENCE_LSTM"; }
  Status Prepare(const OpCall& call) override;
  void Pack(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  LstmCell cell_;
};

Status UnidirectionalSequenceLstm::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  if (call.inputs() != 20 && call.inputs() != 24) {
    return Invalid("wrong number of inputs (", call.inputs(), ", expected 20 or 24)");
  }
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 24, 1));
  const TfLiteTensor* input = call.input(0);
  const auto& params = call.params<TfLiteUnidirectionalSequenceLSTMParams>();
  TERN_ASSIGN_OR_RETURN(const SequenceShape shape, SequenceShapeOf(input, params.time_major));
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  TERN_RETURN_IF_ERROR(
      cell_.Prepare(call, kLstmLayout,
                    {input->type, shape.batch, Dim(input, 2), 0, params.diagonal_recurrent_tensors},
                    {params.activation, params.cell_clip, params.proj_clip,
                     params.asymmetric_quantize_inputs, fast()}));
  return call.SetShape(call.output(0), {Dim(input, 0), Dim(input, 1), cell_.outputs()});
}

StatusOr<SequenceShape> ShapeOfRun(const OpCall& call) {
  const auto& params = call.params<TfLiteUnidirectionalSequenceLSTMParams>();
  return SequenceShapeOf(call.input(0), params.time_major);
}

void UnidirectionalSequenceLstm::Pack(const OpCall& call) {
  const StatusOr<SequenceShape> shape = ShapeOfRun(call);
  if (shape.ok()) cell_.Pack(call, *shape, Pool(call));
}

Status UnidirectionalSequenceLstm::Eval(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const SequenceShape shape, ShapeOfRun(call));
  LstmCell::Rows rows{shape, call.input(0), nullptr, call.output(0)};
  rows.output_stride = cell_.outputs();
  return cell_.Eval(call, rows, Pool(call));
}

}  // namespace

TfLiteRegistration UnidirectionalSequenceLstmRegistration(OpForm form) {
  return MakeRegistration<UnidirectionalSequenceLstm>(form);
}

}  // namespace tern
