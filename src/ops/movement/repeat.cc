// SPDX-License-Identifier: Apache-2.0
// TILE: the input, multiples[i] times along axis i. BROADCAST_TO: axes of size 1 repeated until the
// input has the shape asked for.
#include "ops/cpu_registry.h"
#include "ops/movement/movement.h"
#include "ops/movement/view_rules.h"

namespace tern {
namespace {

Status CheckIndexVector(const TfLiteTensor* t, const char* what) {
  TERN_RETURN_IF_ERROR(CheckRank(t, 1, what));
  if (t->type == kTfLiteInt32 || t->type == kTfLiteInt64) return OkStatus();
  return Invalid(what, " must be INT32 or INT64 (", TypeText(t->type), ")");
}

class Tile : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "TILE"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0)));
    return CheckIndexVector(call.input(1), "multiples");
  }
  bool IsControl(int i) const override { return i == 1; }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape multiples, ReadIntegers(call.input(1), "multiples"));
    TERN_ASSIGN_OR_RETURN(Viewed viewed, TileView(ShapeOf(call.input(0)), multiples));
    return MovesOf(std::move(viewed));
  }
};

class BroadcastTo : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "BROADCAST_TO"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0)));
    return CheckIndexVector(call.input(1), "shape");
  }
  bool IsControl(int i) const override { return i == 1; }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape shape, ReadIntegers(call.input(1), "shape"));
    TERN_ASSIGN_OR_RETURN(Viewed viewed, BroadcastView(ShapeOf(call.input(0)), shape));
    return MovesOf(std::move(viewed));
  }
};

}  // namespace

TfLiteRegistration TileRegistration(OpForm form) { return MakeRegistration<Tile>(form); }
TfLiteRegistration BroadcastToRegistration(OpForm form) {
  return MakeRegistration<BroadcastTo>(form);
}

}  // namespace tern
