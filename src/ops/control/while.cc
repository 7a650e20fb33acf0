// SPDX-License-Identifier: Apache-2.0
// WHILE: values -> the same values after the last iteration. The body makes new ones as long as the
// condition, one BOOL, is true.
#include "ops/control/graph_call.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class While : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "WHILE"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  // Of a result that is an input of the body: the state is what it reads.
  const TfLiteTensor* HandedOn(const OpCall& call, int i) const;
  StatusOr<bool> Continues(const OpCall& call, const Arguments& state);

  GraphCall condition_, body_;
};

Status While::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const auto& params = call.params<TfLiteWhileParams>();
  const int count = call.inputs();
  if (call.outputs() != count) {
    return Invalid("there must be as many outputs as inputs (", call.outputs(), ", ", count, ")");
  }
  for (int i = 0; i < count; ++i) {
    if (call.input(i) == nullptr) return Invalid("input ", i, " is missing");
  }
  if (params.cond_subgraph_index == params.body_subgraph_index) {
    return Invalid("condition and body are the same subgraph (", params.body_subgraph_index, ")");
  }
  TERN_RETURN_IF_ERROR(condition_.Find(call, params.cond_subgraph_index, "condition", count, 1));
  TERN_RETURN_IF_ERROR(body_.Find(call, params.body_subgraph_index, "body", count, count));
  const Arguments inputs = InputsFrom(call, 0);
  TERN_RETURN_IF_ERROR(condition_.Prepare(inputs));
  const TfLiteTensor* result = condition_.result(0);
  TERN_RETURN_IF_ERROR(CheckType(result, kTfLiteBool, "result of the condition"));
  if (!IsDynamic(result) && Elements(result) != 1) {
    return Invalid("the result of the condition must have one element (shape ",
                   ShapeText(ShapeOf(result)), ")");
  }
  TERN_RETURN_IF_ERROR(body_.Prepare(inputs));
  TERN_RETURN_IF_ERROR(SetOutputsTo(call, {&body_}));
  for (int i = 0; i < count; ++i) {
    TERN_RETURN_IF_ERROR(CheckSameType(call.input(i), call.output(i), "argument and result"));
  }
  // A value that changes its shape may do so in every iteration, and with it all the others.
  bool changes = false;
  for (int i = 0; i < count; ++i) {
    changes = changes || IsDynamic(call.output(i)) ||
              !TfLiteIntArrayEqual(call.input(i)->dims, call.output(i)->dims);
  }
  for (int i = 0; i < count && changes; ++i) MakeDynamic(call.output(i));
  return OkStatus();
}

// Of a condition that grows while the loop runs, the first element counts.
StatusOr<bool> While::Continues(const OpCall& call, const Arguments& state) {
  TERN_RETURN_IF_ERROR(condition_.Run(call, state));
  const TfLiteTensor* result = condition_.result(0);
  TERN_RETURN_IF_ERROR(CheckType(result, kTfLiteBool, "result of the condition"));
  if (Elements(result) == 0) return Invalid("the result of the condition is empty");
  TERN_RETURN_IF_ERROR(CheckData(result, "result of the condition"));
  return *Data<uint8_t>(result) != 0;
}

const TfLiteTensor* While::HandedOn(const OpCall& call, int i) const {
  const int from = body_.InputOfResult(i);
  return from < 0 ? body_.result(i) : call.output(from);
}

// The operator's outputs are the state of the loop, which the body reads. Its results become the
// state one after the other, as in TensorFlow Lite: of two inputs that a body hands on in exchanged
// places, the first overwrites the second. The condition sees the results as they are.
Status While::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CopyToOutputs(call, InputsFrom(call, 0)));
  const Arguments state = [&call](int i) { return call.output(i); };
  const Arguments results = [this](int i) { return body_.result(i); };
  TERN_ASSIGN_OR_RETURN(bool continues, Continues(call, state));
  while (continues) {
    TERN_RETURN_IF_ERROR(body_.Run(call, state));
    TERN_ASSIGN_OR_RETURN(continues, Continues(call, results));
    TERN_RETURN_IF_ERROR(CopyToOutputs(call, [&](int i) { return HandedOn(call, i); }));
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration WhileRegistration(OpForm form) { return MakeRegistration<While>(form); }

}  // namespace tern
