// SPDX-License-Identifier: Apache-2.0
// DYNAMIC_UPDATE_SLICE: an operand, an update of its rank, and where the update begins -> the
// operand with the update written over it. A begin from which the update would not fit moves. Where
// nothing else reads the operand, the output lies in its place, and only the update is written.
#include <algorithm>

#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/gather/gather_rules.h"

namespace tern {
namespace {

class DynamicUpdateSlice : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "DYNAMIC_UPDATE_SLICE"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
    const TfLiteTensor *operand = call.input(0), *update = call.input(1), *begin = call.input(2);
    TERN_RETURN_IF_ERROR(CheckMoved(operand, call.output(0), true));
    TERN_RETURN_IF_ERROR(CheckSameType(operand, update, "operand and update"));
    return CheckUpdate(ShapeOf(operand), ShapeOf(update), ShapeOf(begin));
  }
  bool IsControl(int i) const override { return i == 2; }
  std::vector<Shape> KnownShapes(const OpCall& call) const override {
    return {ShapeOf(call.input(0))};
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(Shape begin, ReadIntegers(call.input(2), "begin"));
    const Shape operand = ShapeOf(call.input(0)), update = ShapeOf(call.input(1));
    for (size_t i = 0; i < begin.size(); ++i) {
      begin[i] = std::clamp<int64_t>(begin[i], 0, operand[i] - update[i]);
    }
    Region over = PadRegion(update, operand, begin);
    over.source = 1;
    return Moves{{operand}, {ViewRegion(WholeView(operand)), over}};
  }
};

}  // namespace

TfLiteRegistration DynamicUpdateSliceRegistration(OpForm form) {
  TfLiteRegistration registration = MakeRegistration<DynamicUpdateSlice>(form);
  registration.inplace_operator = kTfLiteInplaceOpInput0Shared;
  return registration;
}

}  // namespace tern
