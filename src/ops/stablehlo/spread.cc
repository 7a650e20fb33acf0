// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_PAD and DILATE: the elements of a tensor with room between, before and after them,
// filled with a value. Negative edges of STABLEHLO_PAD cut off.
#include <cstring>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/stablehlo/body.h"
#include "ops/stablehlo/spread_rules.h"

namespace tern {
namespace {

Status CheckOperands(const OpCall& call, int fill) {
  const TfLiteTensor* input = call.input(0);
  if (ElementBytes(input->type) == 0) {
    return Unsupported("type ", TypeText(input->type), " is not supported yet (input)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.input(fill), "input and padding value"));
  if (Elements(call.input(fill)) == 1) return OkStatus();
  return Invalid("the padding value must be one number (", ShapeText(ShapeOf(call.input(fill))),
                 ")");
}

Status EvalSpread(const OpCall& call, int fill, const Spread& spread) {
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor* output = call.output(0);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(fill), "padding value"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  const int64_t size = ElementBytes(input->type);
  const auto bytes = static_cast<size_t>(size);
  for (int64_t i = 0; i < Elements(output); ++i) {
    std::memcpy(output->data.raw + i * size, call.input(fill)->data.raw_const, bytes);
  }
  const Shape strides = DenseStrides(spread.output);
  IndexWalk walk(ShapeOf(input));
  for (int64_t i = 0; i < Elements(input); ++i, walk.Next()) {
    int64_t to = 0;
    bool inside = true;
    for (size_t axis = 0; axis < strides.size(); ++axis) {
      const int64_t at = spread.low[axis] + walk.at()[axis] * spread.step[axis];
      inside = inside && at >= 0 && at < spread.output[axis];
      to += at * strides[axis];
    }
    if (inside) {
      std::memcpy(output->data.raw + to * size, input->data.raw_const + i * size, bytes);
    }
  }
  return OkStatus();
}

class StablehloPad : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "STABLEHLO_PAD"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckOperands(call, 1));
    TERN_ASSIGN_OR_RETURN(const Spread spread, SpreadOf(call));
    return call.SetShape(call.output(0), spread.output);
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Spread spread, SpreadOf(call));
    return EvalSpread(call, 1, spread);
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  static StatusOr<Spread> SpreadOf(const OpCall& call) {
    return PadSpread(ShapeOf(call.input(0)), call.params<TfLiteStablehloPadParams>());
  }
};

class Dilate : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "DILATE"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
    TERN_RETURN_IF_ERROR(CheckOperands(call, 2));
    TERN_RETURN_IF_ERROR(CheckRank(call.input(1), 1, "dilations"));
    if (Dim(call.input(1), 0) != Rank(call.input(0))) {
      return Invalid("there must be a dilation per axis (", Dim(call.input(1), 0), ", ",
                     Rank(call.input(0)), ")");
    }
    if (!IsConstant(call.input(1))) {
      MakeDynamic(call.output(0));
      return OkStatus();
    }
    TERN_ASSIGN_OR_RETURN(const Spread spread, SpreadOf(call));
    return call.SetShape(call.output(0), spread.output);
  }

  Status Eval(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Spread spread, SpreadOf(call));
    if (IsDynamic(call.output(0))) {
      TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), spread.output));
    }
    return EvalSpread(call, 2, spread);
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  static StatusOr<Spread> SpreadOf(const OpCall& call) {
    TERN_ASSIGN_OR_RETURN(const Shape steps, ReadIntegers(call.input(1), "dilations"));
    return DilateSpread(ShapeOf(call.input(0)), steps);
  }
};

}  // namespace

TfLiteRegistration StablehloPadRegistration(OpForm form) {
  return MakeRegistration<StablehloPad>(form);
}
TfLiteRegistration DilateRegistration(OpForm form) { return MakeRegistration<Dilate>(form); }

}  // namespace tern
