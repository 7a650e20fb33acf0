// SPDX-License-Identifier: Apache-2.0
// Roll (custom): the input, moved by shift[i] elements along axis[i] (INT32 or INT64, scalars or
// vectors); what leaves an axis at its end comes in at its start. Shifts of one axis add up.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

constexpr int kMaxAxes = 8;  // each doubles the copies

class Roll : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "Roll"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
    TERN_RETURN_IF_ERROR(CheckMovable(call.input(0), "input"));
    TERN_RETURN_IF_ERROR(CheckSameType(call.input(0), call.output(0), "input and output"));
    for (int i = 1; i < 3; ++i) {
      const char* what = i == 1 ? "shift" : "axis";
      const TfLiteTensor* t = call.input(i);
      if (t->type != kTfLiteInt32) TERN_RETURN_IF_ERROR(CheckType(t, kTfLiteInt64, what));
      if (Rank(t) > 1) return Invalid(what, " must be a scalar or a vector (rank ", Rank(t), ")");
    }
    if (Elements(call.input(1)) != Elements(call.input(2))) {
      return Invalid("there must be a shift per axis (", Elements(call.input(1)), ", ",
                     Elements(call.input(2)), ")");
    }
    if (Rank(call.input(0)) > kMaxAxes) {
      return Unsupported("more than ", kMaxAxes, " axes (", Rank(call.input(0)), ")");
    }
    return OkStatus();
  }
  bool IsControl(int i) const override { return i > 0; }
  std::vector<Shape> KnownShapes(const OpCall& call) const override {
    return {ShapeOf(call.input(0))};
  }

  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape shifts, ReadIntegers(call.input(1), "shift"));
    TERN_ASSIGN_OR_RETURN(const Shape axes, ReadIntegers(call.input(2), "axis"));
    const Shape shape = ShapeOf(call.input(0));
    const auto rank = static_cast<int64_t>(shape.size());
    Shape moved(shape.size());
    for (size_t i = 0; i < axes.size(); ++i) {
      if (axes[i] < -rank || axes[i] >= rank) {
        return Invalid("axis is out of range (", axes[i], ", rank ", rank, ")");
      }
      const auto axis = static_cast<size_t>(axes[i] < 0 ? axes[i] + rank : axes[i]);
      if (shape[axis] == 0) continue;
      moved[axis] = (moved[axis] + shifts[i] % shape[axis] + shape[axis]) % shape[axis];
    }
    Region whole;
    whole.sizes = shape;
    whole.source_strides = whole.destination_strides = DenseStrides(shape);
    Moves moves{{shape}, {whole}};
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (moved[axis] != 0) Cut(axis, shape[axis], moved[axis], moves.regions);
    }
    return moves;
  }

 private:
  // The last `shift` elements of an axis become its first ones.
  static void Cut(size_t axis, int64_t size, int64_t shift, std::vector<Region>& regions) {
    std::vector<Region> cut;
    for (const Region& region : regions) {
      Region start = region, end = region;
      start.sizes[axis] = size - shift;
      start.destination_offset += shift * region.destination_strides[axis];
      end.sizes[axis] = shift;
      end.source_offset += (size - shift) * region.source_strides[axis];
      cut.push_back(start);
      cut.push_back(end);
    }
    regions = std::move(cut);
  }
};

}  // namespace

TfLiteRegistration RollRegistration(OpForm form) { return MakeRegistration<Roll>(form); }

}  // namespace tern
