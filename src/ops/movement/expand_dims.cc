// SPDX-License-Identifier: Apache-2.0
// EXPAND_DIMS: the input with one more axis, of size 1. SQUEEZE: the input without axes of size 1.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/movement/view_rules.h"

namespace tern {
namespace {

class ExpandDims : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "EXPAND_DIMS"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    return CheckMoved(call.input(0), call.output(0));
  }
  bool IsControl(int i) const override { return i == 1; }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const int64_t axis, ReadInteger(call.input(1), "axis"));
    TERN_ASSIGN_OR_RETURN(Viewed viewed, ExpandedView(ShapeOf(call.input(0)), axis));
    return MovesOf(std::move(viewed));
  }
};

class Squeeze : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "SQUEEZE"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    const int count = call.params<TfLiteSqueezeParams>().num_squeeze_dims;
    if (count < 0 || count > kCapacity) return Invalid("too many axes are named (", count, ")");
    return CheckMoved(call.input(0), call.output(0));
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    const auto& params = call.params<TfLiteSqueezeParams>();
    const Shape axes(params.squeeze_dims, params.squeeze_dims + params.num_squeeze_dims);
    TERN_ASSIGN_OR_RETURN(Viewed viewed, SqueezedView(ShapeOf(call.input(0)), axes));
    return MovesOf(std::move(viewed));
  }

 private:
  static constexpr int kCapacity = std::size(TfLiteSqueezeParams().squeeze_dims);
};

}  // namespace

TfLiteRegistration ExpandDimsRegistration(OpForm form) {
  return MakeRegistration<ExpandDims>(form);
}
TfLiteRegistration SqueezeRegistration(OpForm form) { return MakeRegistration<Squeeze>(form); }

}  // namespace tern
