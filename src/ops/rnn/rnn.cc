// SPDX-License-Identifier: Apache-2.0
// RNN and UNIDIRECTIONAL_SEQUENCE_RNN: inputs 0 input, 1 weights, 2 recurrent weights, 3 bias,
// 4 hidden state, which goes on from run to run.
#include "ops/cpu_registry.h"
#include "ops/rnn/rnn_cell.h"

namespace tern {
namespace {

// Checks data and runs the cell over `shape`.
Status RunCell(const OpCall& call, RnnCell& cell, const SequenceShape& shape,
               const RnnCell::Options& options, ThreadPool* pool) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  return cell.Eval(call,
                   {shape, Data<float>(call.input(0)), nullptr, MutableData<float>(call.output(0)),
                    cell.units()},
                   options, pool);
}

class Rnn : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "RNN"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(5, 5, 1));
    const TfLiteTensor* input = call.input(0);
    TERN_RETURN_IF_ERROR(CheckRank(input, 2, "input"));
    TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
    TERN_RETURN_IF_ERROR(cell_.Prepare(call, kRnnLayout, input, nullptr, Dim(input, 0)));
    return call.SetShape(call.output(0), {Dim(input, 0), cell_.units()});
  }

  void Pack(const OpCall& call) override {
    cell_.Pack(call, {1, Dim(call.input(0), 0)}, fast(), Pool(call));
  }

  Status Eval(const OpCall& call) override {
    const auto& params = call.params<TfLiteRNNParams>();
    return RunCell(call, cell_, {1, Dim(call.input(0), 0)},
                   {params.activation, params.asymmetric_quantize_inputs, fast()}, Pool(call));
  }

 private:
  RnnCell cell_;
};

class UnidirectionalSequenceRnn : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "UNIDIRECTIONAL_SEQUENCE_RNN"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(5, 5, 1));
    const TfLiteTensor* input = call.input(0);
    TERN_ASSIGN_OR_RETURN(
        const SequenceShape shape,
        SequenceShapeOf(input, call.params<TfLiteSequenceRNNParams>().time_major));
    TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
    TERN_RETURN_IF_ERROR(cell_.Prepare(call, kRnnLayout, input, nullptr, shape.batch));
    return call.SetShape(call.output(0), {Dim(input, 0), Dim(input, 1), cell_.units()});
  }

  void Pack(const OpCall& call) override {
    const auto& params = call.params<TfLiteSequenceRNNParams>();
    const StatusOr<SequenceShape> shape = SequenceShapeOf(call.input(0), params.time_major);
    if (shape.ok()) cell_.Pack(call, *shape, fast(), Pool(call));
  }

  Status Eval(const OpCall& call) override {
    const auto& params = call.params<TfLiteSequenceRNNParams>();
    TERN_ASSIGN_OR_RETURN(const SequenceShape shape,
                          SequenceShapeOf(call.input(0), params.time_major));
    return RunCell(call, cell_, shape,
                   {params.activation, params.asymmetric_quantize_inputs, fast()}, Pool(call));
  }

 private:
  RnnCell cell_;
};

}  // namespace

TfLiteRegistration RnnRegistration(OpForm form) { return MakeRegistration<Rnn>(form); }
TfLiteRegistration UnidirectionalSequenceRnnRegistration(OpForm form) {
  return MakeRegistration<UnidirectionalSequenceRnn>(form);
}

}  // namespace tern
