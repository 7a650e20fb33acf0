// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE: axis i of the output is axis order[i] of the input. REVERSE_V2: the input with the
// elements of the named axes in opposite order.
#include <vector>

#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/movement/view_rules.h"

namespace tern {
namespace {

class Transpose : public MovementByNumbers {
 public:
  explicit Transpose(OpForm form) : MovementByNumbers(form, {"order"}, TransposeView) {}
  const char* name() const override { return "TRANSPOSE"; }
};

class Reverse : public MovementByNumbers {
 public:
  explicit Reverse(OpForm form) : MovementByNumbers(form, {"axes"}, ReverseView) {}
  const char* name() const override { return "REVERSE_V2"; }

 protected:
  std::vector<Shape> KnownShapes(const OpCall& call) const override {
    return {ShapeOf(call.input(0))};
  }
};

}  // namespace

TfLiteRegistration TransposeRegistration(OpForm form) { return MakeRegistration<Transpose>(form); }
TfLiteRegistration ReverseV2Registration(OpForm form) { return MakeRegistration<Reverse>(form); }

}  // namespace tern
