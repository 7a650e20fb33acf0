// SPDX-License-Identifier: Apache-2.0
// REVERSE_SEQUENCE: along seq_dim, the first lengths[b] elements of entry b of batch_dim in
// opposite order; the others stay.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/gather/gather_rules.h"

namespace tern {
namespace {

class ReverseSequence : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "REVERSE_SEQUENCE"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0)));
    const auto& params = call.params<TfLiteReverseSequenceParams>();
    TERN_ASSIGN_OR_RETURN(axes_, ReverseAxesOf(ShapeOf(call.input(0)), ShapeOf(call.input(1)),
                                               params.seq_dim, params.batch_dim));
    return OkStatus();
  }
  bool IsControl(int i) const override { return i == 1; }
  std::vector<Shape> KnownShapes(const OpCall& call) const override {
    return {ShapeOf(call.input(0))};
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape lengths, ReadIntegers(call.input(1), "lengths"));
    const Shape shape = ShapeOf(call.input(0));
    Region entry = ViewRegion(WholeView(shape));
    entry.sizes[axes_.batch] = 1;
    const int64_t step = entry.source_strides[axes_.sequence], size = shape[axes_.sequence];
    Moves moves{{shape}, {}};
    for (size_t b = 0; b < lengths.size(); ++b) {
      const int64_t length = lengths[b];
      TERN_RETURN_IF_ERROR(CheckLength(length, size));
      entry.source_offset = entry.destination_offset =
          static_cast<int64_t>(b) * entry.source_strides[axes_.batch];
      Region reversed = entry, rest = entry;
      reversed.sizes[axes_.sequence] = length;
      reversed.source_offset += (length - 1) * step;
      reversed.source_strides[axes_.sequence] = -step;
      rest.sizes[axes_.sequence] = size - length;
      rest.source_offset += length * step;
      rest.destination_offset += length * step;
      moves.regions.push_back(reversed);
      moves.regions.push_back(rest);
    }
    return moves;
  }

 private:
  ReverseAxes axes_;
};

}  // namespace

TfLiteRegistration ReverseSequenceRegistration(OpForm form) {
  return MakeRegistration<ReverseSequence>(form);
}

}  // namespace tern
