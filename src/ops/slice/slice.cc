// SPDX-License-Identifier: Apache-2.0
// SLICE: input, begin and size (vectors with one entry per axis) -> the box at begin.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/slice/slice_rules.h"

namespace tern {
namespace {

class Slice : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "SLICE"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0), true));
    TERN_RETURN_IF_ERROR(CheckRank(call.input(1), 1, "begin"));
    TERN_RETURN_IF_ERROR(CheckRank(call.input(2), 1, "size"));
    return CheckSameType(call.input(1), call.input(2), "begin and size");
  }
  bool IsControl(int i) const override { return i > 0; }
  // A box that starts anywhere may have the size that the model declares for it.
  std::vector<Shape> KnownShapes(const OpCall& call) const override {
    const TfLiteTensor* output = call.output(0);
    const TfLiteIntArray* declared = output->dims_signature;
    const bool open =
        declared != nullptr && std::find(declared->data, declared->data + declared->size, -1) !=
                                   declared->data + declared->size;
    if (open || IsDynamic(output) || Rank(output) != Rank(call.input(0))) return {};
    return {ShapeOf(output)};
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape begin, ReadIntegers(call.input(1), "begin"));
    TERN_ASSIGN_OR_RETURN(const Shape size, ReadIntegers(call.input(2), "size"));
    TERN_ASSIGN_OR_RETURN(Viewed viewed, SliceView(ShapeOf(call.input(0)), begin, size));
    return MovesOf(std::move(viewed));
  }
};

}  // namespace

TfLiteRegistration SliceRegistration(OpForm form) { return MakeRegistration<Slice>(form); }

}  // namespace tern
