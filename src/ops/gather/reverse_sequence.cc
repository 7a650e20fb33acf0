// SPDX-License-Identifier: Apache-2.0
// REVERSE_SEQUENCE: along seq_dim, the first lengths[b] elements of entry b of batch_dim in
// opposite order; the others stay.
#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"

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
    const TfLiteTensor* lengths = call.input(1);
    TERN_RETURN_IF_ERROR(CheckRank(lengths, 1, "lengths"));
    const auto& params = call.params<TfLiteReverseSequenceParams>();
    const auto rank = static_cast<size_t>(Rank(call.input(0)));
    TERN_ASSIGN_OR_RETURN(sequence_, AxisOf(params.seq_dim, rank));
    TERN_ASSIGN_OR_RETURN(batch_, AxisOf(params.batch_dim, rank));
    if (sequence_ == batch_) return Invalid("seq_dim and batch_dim are one axis (", batch_, ")");
    if (Dim(lengths, 0) == Dim(call.input(0), static_cast<int>(batch_))) return OkStatus();
    return Invalid("there must be one length per entry of the batch (", Dim(lengths, 0), ", ",
                   Dim(call.input(0), static_cast<int>(batch_)), ")");
  }
  bool IsControl(int i) const override { return i == 1; }
  std::vector<Shape> KnownShapes(const OpCall& call) const override {
    return {ShapeOf(call.input(0))};
  }
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_ASSIGN_OR_RETURN(const Shape lengths, ReadIntegers(call.input(1), "lengths"));
    const Shape shape = ShapeOf(call.input(0));
    Region entry = ViewRegion(WholeView(shape));
    entry.sizes[batch_] = 1;
    const int64_t step = entry.source_strides[sequence_], size = shape[sequence_];
    Moves moves{{shape}, {}};
    for (size_t b = 0; b < lengths.size(); ++b) {
      const int64_t length = lengths[b];
      if (length < 0 || length > size) {
        return Invalid("a length is out of range (", length, ", size ", size, ")");
      }
      entry.source_offset = entry.destination_offset =
          static_cast<int64_t>(b) * entry.source_strides[batch_];
      Region reversed = entry, rest = entry;
      reversed.sizes[sequence_] = length;
      reversed.source_offset += (length - 1) * step;
      reversed.source_strides[sequence_] = -step;
      rest.sizes[sequence_] = size - length;
      rest.source_offset += length * step;
      rest.destination_offset += length * step;
      moves.regions.push_back(reversed);
      moves.regions.push_back(rest);
    }
    return moves;
  }

 private:
  size_t sequence_ = 0, batch_ = 0;
};

}  // namespace

TfLiteRegistration ReverseSequenceRegistration(OpForm form) {
  return MakeRegistration<ReverseSequence>(form);
}

}  // namespace tern
