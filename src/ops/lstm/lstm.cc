// SPDX-License-Identifier: Apache-2.0
// LSTM: one step of a long short-term memory. The full kernel has matrices per gate and keeps its
// state in variables; the basic kernel is in basic_lstm.
#include "ops/cpu_registry.h"
#include "ops/lstm/basic_lstm.h"
#include "ops/lstm/lstm_cell.h"

namespace tern {
namespace {

class Lstm : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "LSTM"; }
  Status Prepare(const OpCall& call) override;
  void Pack(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  LstmCell cell_;
  BasicLstm basic_;
};

bool IsBasic(const OpCall& call) {
  return call.params<TfLiteLSTMParams>().kernel_type == kTfLiteLSTMBasicKernel;
}

Status Lstm::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  if (IsBasic(call)) return basic_.Prepare(call);
  if (call.inputs() != 20 && call.inputs() != 24) {
    return Invalid("wrong number of inputs (", call.inputs(), ", expected 20 or 24)");
  }
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 24, 1));
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckRank(input, 2, "input"));
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  const auto& params = call.params<TfLiteLSTMParams>();
  TERN_RETURN_IF_ERROR(cell_.Prepare(call, kLstmLayout, {input->type, Dim(input, 0), Dim(input, 1)},
                                     {params.activation, params.cell_clip, params.proj_clip,
                                      params.asymmetric_quantize_inputs, fast()}));
  return call.SetShape(call.output(0), {Dim(input, 0), cell_.outputs()});
}

void Lstm::Pack(const OpCall& call) {
  if (IsBasic(call)) {
    basic_.Pack(call, fast(), Pool(call));
  } else {
    cell_.Pack(call, {1, Dim(call.input(0), 0)}, Pool(call));
  }
}

Status Lstm::Eval(const OpCall& call) {
  if (IsBasic(call)) return basic_.Eval(call, fast(), Pool(call));
  LstmCell::Rows rows{{1, Dim(call.input(0), 0)}, call.input(0), nullptr, call.output(0)};
  rows.output_stride = cell_.outputs();
  return cell_.Eval(call, rows, Pool(call));
}

}  // namespace

TfLiteRegistration LstmRegistration(OpForm form) { return MakeRegistration<Lstm>(form); }

}  // namespace tern
