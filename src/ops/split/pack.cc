// SPDX-License-Identifier: Apache-2.0
// PACK: tensors of one shape and type -> one tensor with a new axis that counts them.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Pack : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "PACK"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    const int count = call.params<TfLitePackParams>().values_count;
    if (count < 1) return Invalid("there are no inputs");
    TERN_RETURN_IF_ERROR(call.CheckOperands(count, count, 1));
    const TfLiteTensor* first = call.input(0);
    TERN_RETURN_IF_ERROR(CheckMoved(first, call.output(0)));
    for (int i = 0; i < count; ++i) {
      TERN_RETURN_IF_ERROR(CheckSameType(first, call.input(i), "inputs"));
      TERN_RETURN_IF_ERROR(CheckSameQuantization(call.input(i), call.output(0)));
      if (ShapeOf(first) != ShapeOf(call.input(i))) {
        return Invalid("inputs must have one shape (", ShapeText(ShapeOf(first)), ", ",
                       ShapeText(ShapeOf(call.input(i))), ")");
      }
    }
    return OkStatus();
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    Shape each = ShapeOf(call.input(0));
    TERN_ASSIGN_OR_RETURN(const size_t axis,
                          AxisOf(call.params<TfLitePackParams>().axis, each.size() + 1));
    each.insert(each.begin() + static_cast<long>(axis), 1);
    Moves moves;
    moves.regions = ConcatenationRegions(std::vector<Shape>(call.inputs(), each), axis);
    moves.shapes = {each};
    moves.shapes[0][axis] = call.inputs();
    return moves;
  }
};

}  // namespace

TfLiteRegistration PackRegistration(OpForm form) { return MakeRegistration<Pack>(form); }

}  // namespace tern
