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
  // The body's results go from its outputs to its inputs, one after the other, as in TensorFlow
  // Lite: of two inputs that a body hands on in exchanged places, the first overwrites the second.
  // A body that changes shapes gets new memory for each run: the operator's outputs then keep the
  // state between the runs.
  Status EvalChangingShapes(const OpCall& call);
  StatusOr<bool> Continues(const OpCall& call, const Arguments& state);
  Status CheckCondition() const;

  GraphCall condition_, body_;
};

Status While::CheckCondition() const {
  const TfLiteTensor* result = condition_.result(0);
  TERN_RETURN_IF_ERROR(CheckType(result, kTfLiteBool, "result of the condition"));
  if (IsDynamic(result) || Elements(result) == 1) return OkStatus();
  return Invalid("the result of the condition must have one element (shape ",
                 ShapeText(ShapeOf(result)), ")");
}

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
  TERN_RETURN_IF_ERROR(CheckCondition());
  TERN_RETURN_IF_ERROR(body_.Prepare(inputs));
  TERN_RETURN_IF_ERROR(SetOutputsTo(call, {&body_}));
  // A value that changes its shape may do so in every iteration, and with it all the others.
  bool changes = false;
  for (int i = 0; i < count; ++i) {
    changes = changes || IsDynamic(call.output(i)) ||
              !TfLiteIntArrayEqual(call.input(i)->dims, call.output(i)->dims);
  }
  for (int i = 0; i < count && changes; ++i) MakeDynamic(call.output(i));
  return OkStatus();
}

StatusOr<bool> While::Continues(const OpCall& call, const Arguments& state) {
  TERN_RETURN_IF_ERROR(condition_.Run(call, state));
  TERN_RETURN_IF_ERROR(CheckCondition());
  TERN_RETURN_IF_ERROR(CheckData(condition_.result(0), "result of the condition"));
  return *Data<uint8_t>(condition_.result(0)) != 0;
}

Status While::Eval(const OpCall& call) {
  if (call.outputs() > 0 && IsDynamic(call.output(0))) return EvalChangingShapes(call);
  const Arguments inputs = InputsFrom(call, 0);
  const Arguments results = [this](int i) { return body_.result(i); };
  const Arguments* state = &inputs;
  while (true) {
    TERN_ASSIGN_OR_RETURN(const bool continues, Continues(call, *state));
    if (!continues) break;
    TERN_RETURN_IF_ERROR(body_.Run(call, *state));
    state = &results;
  }
  return CopyToOutputs(call, *state);
}

Status While::EvalChangingShapes(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CopyToOutputs(call, InputsFrom(call, 0)));
  const Arguments state = [&call](int i) { return call.output(i); };
  const Arguments results = [this](int i) { return body_.result(i); };
  while (true) {
    TERN_ASSIGN_OR_RETURN(const bool continues, Continues(call, state));
    if (!continues) return OkStatus();
    TERN_RETURN_IF_ERROR(body_.Run(call, state));
    TERN_RETURN_IF_ERROR(CopyToOutputs(call, results));
  }
}

}  // namespace

TfLiteRegistration WhileRegistration(OpForm form) { return MakeRegistration<While>(form); }

}  // namespace tern
