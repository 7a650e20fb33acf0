// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_RNN: one recurrent cell over the sequence as it is and another one over it
// from its end. The outputs follow the input's order: two tensors, or both side by side in one. An
// auxiliary input without weights of its own is what the backward cell reads; with weights it joins
// the input of both.
#include "ops/cpu_registry.h"
#include "ops/rnn/rnn_cell.h"

namespace tern {
namespace {

using RnnParams = TfLiteBidirectionalSequenceRNNParams;

class BidirectionalSequenceRnn : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "BIDIRECTIONAL_SEQUENCE_RNN"; }
  Status Prepare(const OpCall& call) override;
  void Pack(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  RnnCell forward_, backward_;
};

bool HasAuxRnnWeights(const OpCall& call) {
  return call.input(kForwardRnn.aux_weights) != nullptr ||
         call.input(kBackwardRnn.aux_weights) != nullptr;
}

Status BidirectionalSequenceRnn::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const RnnParams& params = call.params<RnnParams>();
  TERN_RETURN_IF_ERROR(call.CheckOperands(9, 12, params.merge_outputs ? 1 : 2));
  const TfLiteTensor *input = call.input(0), *aux = call.input(kRnnAux);
  TERN_ASSIGN_OR_RETURN(const SequenceShape shape, SequenceShapeOf(input, params.time_major));
  if (aux != nullptr) {
    TERN_RETURN_IF_ERROR(CheckRank(aux, 3, "aux input"));
    if (Dim(aux, 0) != Dim(input, 0) || Dim(aux, 1) != Dim(input, 1)) {
      return Invalid("input and aux input differ in time or batch (", ShapeText(ShapeOf(input)),
                     ", ", ShapeText(ShapeOf(aux)), ")");
    }
  }
  const bool crossed = aux != nullptr && !HasAuxRnnWeights(call);
  const TfLiteTensor* joining = crossed ? nullptr : aux;
  TERN_RETURN_IF_ERROR(forward_.Prepare(call, kForwardRnn, input, joining, shape.batch));
  TERN_RETURN_IF_ERROR(
      backward_.Prepare(call, kBackwardRnn, crossed ? aux : input, joining, shape.batch));
  for (int i = 0; i < call.outputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckType(call.output(i), kTfLiteFloat32, "output"));
    const int64_t size = params.merge_outputs ? forward_.units() + backward_.units()
                         : i == 0             ? forward_.units()
                                              : backward_.units();
    TERN_RETURN_IF_ERROR(call.SetShape(call.output(i), {Dim(input, 0), Dim(input, 1), size}));
  }
  return OkStatus();
}

void BidirectionalSequenceRnn::Pack(const OpCall& call) {
  const StatusOr<SequenceShape> shape =
      SequenceShapeOf(call.input(0), call.params<RnnParams>().time_major);
  if (!shape.ok()) return;
  forward_.Pack(call, *shape, fast(), Pool(call));
  backward_.Pack(call, *shape, fast(), Pool(call));
}

Status BidirectionalSequenceRnn::Eval(const OpCall& call) {
  const RnnParams& params = call.params<RnnParams>();
  const TfLiteTensor *input = call.input(0), *aux = call.input(kRnnAux);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  if (aux != nullptr) TERN_RETURN_IF_ERROR(CheckData(aux, "aux input"));
  for (int i = 0; i < call.outputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckData(call.output(i), "output"));
  }
  TERN_ASSIGN_OR_RETURN(const SequenceShape shape, SequenceShapeOf(input, params.time_major));
  const bool joined = aux != nullptr && HasAuxRnnWeights(call), merged = params.merge_outputs;
  const RnnCell::Options options{params.activation, params.asymmetric_quantize_inputs, fast()};
  const float* second = joined ? Data<float>(aux) : nullptr;
  TERN_RETURN_IF_ERROR(
      forward_.Eval(call,
                    {shape, Data<float>(input), second, MutableData<float>(call.output(0)),
                     forward_.units() + (merged ? backward_.units() : 0)},
                    options, Pool(call)));
  const TfLiteTensor* from = aux != nullptr && !joined ? aux : input;
  float* to = merged ? MutableData<float>(call.output(0)) + forward_.units()
                     : MutableData<float>(call.output(1));
  return backward_.Eval(call,
                        {shape, Data<float>(from), second, to,
                         backward_.units() + (merged ? forward_.units() : 0), true},
                        options, Pool(call));
}

}  // namespace

TfLiteRegistration BidirectionalSequenceRnnRegistration(OpForm form) {
  return MakeRegistration<BidirectionalSequenceRnn>(form);
}

}  // namespace tern
