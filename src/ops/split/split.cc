// SPDX-License-Identifier: Apache-2.0
// SPLIT (axis, value): parts of one size along an axis. SPLIT_V (value, sizes, axis): parts of
// given sizes. Both copy stored values. UNPACK: one output per index of the axis, without the axis.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/split/split_rules.h"

namespace tern {
namespace {

Moves MovesOf(std::vector<Viewed> parts, int source) {
  Moves moves;
  for (Viewed& part : parts) {
    moves.regions.push_back(ViewRegion(part.view, source, static_cast<int>(moves.shapes.size())));
    moves.shapes.push_back(std::move(part.shape));
  }
  return moves;
}

Status CheckOutputs(const OpCall& call, int inputs, int source, int64_t outputs) {
  if (outputs < 1) return Invalid("there are no outputs");
  TERN_RETURN_IF_ERROR(call.CheckOperands(inputs, inputs, static_cast<int>(outputs)));
  for (int i = 0; i < call.outputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(source), call.output(i)));
  }
  return OkStatus();
}

class Split : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "SPLIT"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    return CheckOutputs(call, 2, 1, call.params<TfLiteSplitParams>().num_splits);
  }
  bool IsControl(int i) const override { return i == 0; }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const int64_t axis, ReadInteger(call.input(0), "axis"));
    TERN_ASSIGN_OR_RETURN(std::vector<Viewed> parts,
                          EvenParts(ShapeOf(call.input(1)), axis, call.outputs()));
    return MovesOf(std::move(parts), 1);
  }
};

class SplitV : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "SPLIT_V"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckOutputs(call, 3, 0, call.params<TfLiteSplitVParams>().num_splits));
    const TfLiteTensor* sizes = call.input(1);
    TERN_RETURN_IF_ERROR(CheckRank(sizes, 1, "sizes"));
    if (Dim(sizes, 0) == call.outputs()) return OkStatus();
    return Invalid("there must be one size per output (", Dim(sizes, 0), ", ", call.outputs(), ")");
  }
  bool IsControl(int i) const override { return i > 0; }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape sizes, ReadIntegers(call.input(1), "sizes"));
    TERN_ASSIGN_OR_RETURN(const int64_t axis, ReadInteger(call.input(2), "axis"));
    TERN_ASSIGN_OR_RETURN(std::vector<Viewed> parts,
                          SizedParts(ShapeOf(call.input(0)), axis, sizes));
    return MovesOf(std::move(parts), 0);
  }
};

class Unpack : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "UNPACK"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckOutputs(call, 1, 0, call.params<TfLiteUnpackParams>().num));
    for (int i = 0; i < call.outputs(); ++i) {
      TERN_RETURN_IF_ERROR(CheckSameQuantization(call.input(0), call.output(i)));
    }
    if (Elements(call.input(0)) == 0) return Invalid("the input is empty");
    return OkStatus();
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    const int axis = call.params<TfLiteUnpackParams>().axis;
    TERN_ASSIGN_OR_RETURN(std::vector<Viewed> parts,
                          UnpackedParts(ShapeOf(call.input(0)), axis, call.outputs()));
    return MovesOf(std::move(parts), 0);
  }
};

}  // namespace

TfLiteRegistration SplitRegistration(OpForm form) { return MakeRegistration<Split>(form); }
TfLiteRegistration SplitVRegistration(OpForm form) { return MakeRegistration<SplitV>(form); }
TfLiteRegistration UnpackRegistration(OpForm form) { return MakeRegistration<Unpack>(form); }

}  // namespace tern
