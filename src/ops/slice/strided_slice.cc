// SPDX-License-Identifier: Apache-2.0
// STRIDED_SLICE: input, begin, end, strides (INT32 vectors of one length) -> every stride-th
// element between begin and end on each axis; masks of the options drop, add and leave axes open.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/slice/slice_rules.h"

namespace tern {
namespace {

class StridedSlice : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "STRIDED_SLICE"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(4, 4, 1));
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0), true));
    for (int i = 1; i < 4; ++i) {
      TERN_RETURN_IF_ERROR(CheckRank(call.input(i), 1, kNames[i]));
      TERN_RETURN_IF_ERROR(CheckType(call.input(i), kTfLiteInt32, kNames[i]));
    }
    return OkStatus();
  }
  bool IsControl(int i) const override { return i > 0; }
  StatusOr<Moves> Plan(const OpCall& call) override {
    Shape lists[4];
    for (int i = 1; i < 4; ++i) {
      TERN_ASSIGN_OR_RETURN(lists[i], ReadIntegers(call.input(i), kNames[i]));
    }
    TERN_ASSIGN_OR_RETURN(Viewed viewed,
                          StridedSliceView(ShapeOf(call.input(0)), lists[1], lists[2], lists[3],
                                           call.params<TfLiteStridedSliceParams>()));
    return MovesOf(std::move(viewed));
  }

 private:
  static constexpr const char* kNames[] = {"input", "begin", "end", "strides"};
};

}  // namespace

TfLiteRegistration StridedSliceRegistration(OpForm form) {
  return MakeRegistration<StridedSlice>(form);
}

}  // namespace tern
