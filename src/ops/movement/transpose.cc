// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE: axis i of the output is axis order[i] of the input. REVERSE_V2: the input with the
// elements of the named axes in opposite order.
#include "ops/cpu_registry.h"
#include "ops/movement/movement.h"
#include "ops/movement/view_rules.h"

namespace tern {
namespace {

class Transpose : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "TRANSPOSE"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0)));
    TERN_RETURN_IF_ERROR(CheckRank(call.input(1), 1, "order"));
    return CheckType(call.input(1), kTfLiteInt32, "order");
  }
  bool IsControl(int i) const override { return i == 1; }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape order, ReadIntegers(call.input(1), "order"));
    TERN_ASSIGN_OR_RETURN(Viewed viewed, TransposeView(ShapeOf(call.input(0)), order));
    return MovesOf(std::move(viewed));
  }
};

class Reverse : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "REVERSE_V2"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0)));
    TERN_RETURN_IF_ERROR(CheckRank(call.input(1), 1, "axes"));
    return CheckType(call.input(1), kTfLiteInt32, "axes");
  }
  bool IsControl(int i) const override { return i == 1; }
  std::vector<Shape> KnownShapes(const OpCall& call) const override {
    return {ShapeOf(call.input(0))};
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape axes, ReadIntegers(call.input(1), "axes"));
    TERN_ASSIGN_OR_RETURN(Viewed viewed, ReverseView(ShapeOf(call.input(0)), axes));
    return MovesOf(std::move(viewed));
  }
};

}  // namespace

TfLiteRegistration TransposeRegistration(OpForm form) { return MakeRegistration<Transpose>(form); }
TfLiteRegistration ReverseV2Registration(OpForm form) { return MakeRegistration<Reverse>(form); }

}  // namespace tern
