// SPDX-License-Identifier: Apache-2.0
// FILL: a shape and a value -> the value everywhere. ZEROS_LIKE: zeros in the shape of the input.
#include <cstring>

#include "ops/cpu_kit/movement.h"
#include "ops/cpu_kit/strings.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Fill : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "FILL"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  static Status SetOutputShape(const OpCall& call);
};

Status Fill::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  const TfLiteTensor *shape = call.input(0), *value = call.input(1);
  if (shape->type != kTfLiteInt32 && shape->type != kTfLiteInt64) {
    return Invalid("the shape must be INT32 or INT64 (", TypeText(shape->type), ")");
  }
  TERN_RETURN_IF_ERROR(CheckRank(shape, 1, "shape"));
  TERN_RETURN_IF_ERROR(CheckMovable(value, "value"));
  TERN_RETURN_IF_ERROR(CheckSameType(value, call.output(0), "value and output"));
  TERN_RETURN_IF_ERROR(CheckRank(value, 0, "value"));
  TERN_RETURN_IF_ERROR(CheckSameQuantization(value, call.output(0)));
  if (IsConstant(shape)) return SetOutputShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status Fill::SetOutputShape(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape shape, ReadIntegers(call.input(0), "shape"));
  return call.SetShape(call.output(0), shape);
}

Status Fill::Eval(const OpCall& call) {
  const TfLiteTensor* value = call.input(1);
  TfLiteTensor* output = call.output(0);
  if (IsDynamic(output)) TERN_RETURN_IF_ERROR(SetOutputShape(call));
  if (output->type == kTfLiteString) {
    TERN_RETURN_IF_ERROR(CheckStrings(value, "value"));
    tflite::DynamicBuffer strings;
    for (int64_t i = 0; i < Elements(output); ++i) {
      TERN_RETURN_IF_ERROR(AddString(value, 0, strings));
    }
    return WriteStrings(strings, output);
  }
  TERN_RETURN_IF_ERROR(CheckData(value, "value"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  FillElements(output, value->data.raw_const, ElementBytes(output->type));
  return OkStatus();
}

class ZerosLike : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "ZEROS_LIKE"; }
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckSameType(call.input(0), call.output(0), "input and output"));
    if (ElementBytes(call.output(0)->type) == 0) {
      return Unsupported("type ", TypeText(call.output(0)->type), " is not supported yet (input)");
    }
    return call.SetShape(call.output(0), ShapeOf(call.input(0)));
  }

  Status Eval(const OpCall& call) override {
    TfLiteTensor* output = call.output(0);
    TERN_RETURN_IF_ERROR(CheckData(output, "output"));
    if (Elements(output) > 0) std::memset(output->data.raw, 0, output->bytes);
    return OkStatus();
  }
};

}  // namespace

TfLiteRegistration FillRegistration(OpForm form) { return MakeRegistration<Fill>(form); }
TfLiteRegistration ZerosLikeRegistration(OpForm form) { return MakeRegistration<ZerosLike>(form); }

}  // namespace tern
