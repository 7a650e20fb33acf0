// SPDX-License-Identifier: Apache-2.0
// STRIDED_SLICE: input, begin, end, strides (INT32 vectors of one length) -> every stride-th
// element between begin and end on each axis; masks of the options drop, add and leave axes open.
// With `offset` ends are lengths, and elements past the input are 0.
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
  // With lengths for ends, where the slice begins does not matter.
  std::vector<Shape> KnownShapes(const OpCall& call) const override {
    if (!call.params<TfLiteStridedSliceParams>().offset) return {};
    if (!IsConstant(call.input(2)) || !IsConstant(call.input(3))) return {};
    const StatusOr<StridedSliced> sliced =
        Slice(call, Shape(static_cast<size_t>(Dim(call.input(1), 0)), 0));
    if (!sliced.ok()) return {};
    return {sliced->viewed.shape};
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape begin, ReadIntegers(call.input(1), kNames[1]));
    TERN_ASSIGN_OR_RETURN(const StridedSliced sliced, Slice(call, begin));
    reaches_outside_ = sliced.reaches_outside();
    Moves moves = MovesOf(sliced.viewed);
    moves.regions[0].destination_strides = DenseStrides(sliced.sizes);
    return moves;
  }
  Status Fill(const OpCall& call) override {
    if (reaches_outside_) FillWithZeros(call.output(0));
    return OkStatus();
  }

 private:
  static StatusOr<StridedSliced> Slice(const OpCall& call, const Shape& begin) {
    TERN_ASSIGN_OR_RETURN(const Shape end, ReadIntegers(call.input(2), kNames[2]));
    TERN_ASSIGN_OR_RETURN(const Shape strides, ReadIntegers(call.input(3), kNames[3]));
    return StridedSliceView(ShapeOf(call.input(0)), begin, end, strides,
                            call.params<TfLiteStridedSliceParams>());
  }

  static constexpr const char* kNames[] = {"input", "begin", "end", "strides"};

  bool reaches_outside_ = false;
};

}  // namespace

TfLiteRegistration StridedSliceRegistration(OpForm form) {
  return MakeRegistration<StridedSlice>(form);
}

}  // namespace tern
