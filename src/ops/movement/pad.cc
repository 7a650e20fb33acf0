// SPDX-License-Identifier: Apache-2.0
// PAD and PADV2, which are one op under two names: input of rank up to 5, paddings [rank, 2]
// (before, after) and a value (may be absent) -> input surrounded by the value; without one by
// zeros (by the zero point when the type is quantized). Messages begin with TensorFlow Lite's words
// where programs look for them.
#include <cstring>

#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"
#include "ops/movement/pad_rules.h"

namespace tern {
namespace {

constexpr int kMaxRank = 5;

bool IsWideInteger(TfLiteType type) { return type == kTfLiteInt32 || type == kTfLiteInt64; }

Status CheckPaddingsShape(const OpCall& call) {
  const TfLiteTensor* paddings = call.input(1);
  const int rank = Rank(call.input(0));
  if (ShapeOf(paddings) == Shape{rank, 2}) return OkStatus();
  const std::string shape = ShapeText(ShapeOf(paddings));
  if (Rank(paddings) == 2 && Dim(paddings, 1) == 2) {
    return Invalid("SizeOfDimension(op_context.paddings, 0) != op_context.dims (", Dim(paddings, 0),
                   " != ", rank, "): paddings must be [rank, 2] (shape ", shape, ")");
  }
  return Invalid("paddings must be [rank, 2] (shape ", shape, ", input rank ", rank, ")");
}

class Pad : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "PAD"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 3, 1));
    if (call.input(2) != nullptr) TERN_RETURN_IF_ERROR(CheckValue(call));
    const TfLiteTensor *input = call.input(0), *paddings = call.input(1);
    TERN_RETURN_IF_ERROR(CheckMoved(input, call.output(0)));
    if (input->type == kTfLiteString) return Unsupported("strings are not supported");
    if (Rank(input) > kMaxRank) {
      return Unsupported(
          "op_context.dims <= reference_ops::PadKernelMaxDimensionCount() was not true (",
          Rank(input), ", limit ", kMaxRank, "): input rank is too high");
    }
    const TfLiteType type = paddings->type;
    if (IsWideInteger(type) || type == kTfLiteInt16 || type == kTfLiteInt8) return OkStatus();
    return Unsupported("Padding type ", TypeText(type), " is currently not supported by Pad");
  }
  bool IsControl(int i) const override { return i == 1; }
  // Computed paddings may get their shape as late as their values.
  StatusOr<Moves> Plan(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckPaddingsShape(call));
    TERN_ASSIGN_OR_RETURN(const Shape paddings, ReadIntegers(call.input(1), "paddings"));
    const Shape input = ShapeOf(call.input(0));
    TERN_ASSIGN_OR_RETURN(const Padded padded, PaddedShape(input, paddings));
    before_ = padded.before;
    return Moves{{padded.shape}, {PadRegion(input, padded.shape, padded.before)}};
  }
  Status Fill(const OpCall& call) override {
    TfLiteTensor* output = call.output(0);
    const int64_t bytes = ElementBytes(output->type);
    if (const TfLiteTensor* value = call.input(2)) {
      TERN_RETURN_IF_ERROR(CheckData(value, "value"));
      FillAround(output, before_, ShapeOf(call.input(0)), value->data.raw_const, bytes, Pool(call));
      return OkStatus();
    }
    FillAround(output, before_, ShapeOf(call.input(0)), ZeroOf(output).data(), bytes, Pool(call));
    return OkStatus();
  }

 private:
  static Status CheckValue(const OpCall& call) {
    const TfLiteTensor* value = call.input(2);
    TERN_RETURN_IF_ERROR(CheckSameType(call.input(0), value, "input and value"));
    if (Elements(value) != 1) {
      return Invalid("the value must be one number (shape ", ShapeText(ShapeOf(value)), ")");
    }
    return CheckSameQuantization(value, call.output(0));
  }

  Shape before_;
};

class PadV2 : public Pad {
 public:
  using Pad::Pad;
  const char* name() const override { return "PADV2"; }
};

class MirrorPad : public Movement {
 public:
  using Movement::Movement;
  const char* name() const override { return "MIRROR_PAD"; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckMoved(call.input(0), call.output(0)));
    if (Rank(call.input(0)) > kMaxRank) {
      return Unsupported("input rank is too high (", Rank(call.input(0)), ", limit ", kMaxRank,
                         ")");
    }
    if (!IsWideInteger(call.input(1)->type)) {
      return Unsupported("paddings must be INT32 or INT64 (", TypeText(call.input(1)->type), ")");
    }
    return CheckPaddingsShape(call);
  }
  bool IsControl(int i) const override { return i == 1; }
  StatusOr<Moves> Plan(const OpCall& call) override;
};

// Every combination of the axes' parts is a region.
StatusOr<Moves> MirrorPad::Plan(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape paddings, ReadIntegers(call.input(1), "paddings"));
  const Shape input = ShapeOf(call.input(0));
  TERN_ASSIGN_OR_RETURN(const Padded padded, PaddedShape(input, paddings));
  const bool with_edge =
      call.params<TfLiteMirrorPaddingParams>().mode == kTfLiteMirrorPaddingSymmetric;
  const Shape from = DenseStrides(input), to = DenseStrides(padded.shape);
  Moves moves{{padded.shape}, {Region()}};
  for (size_t axis = 0; axis < input.size(); ++axis) {
    TERN_ASSIGN_OR_RETURN(
        const std::vector<MirrorPart> parts,
        MirrorParts(input[axis], padded.before[axis], paddings[2 * axis + 1], with_edge));
    std::vector<Region> next;
    for (const Region& region : moves.regions) {
      for (const MirrorPart& part : parts) {
        Region& made = next.emplace_back(region);
        made.source_offset += part.from * from[axis];
        made.destination_offset += part.to * to[axis];
        made.sizes.push_back(part.size);
        made.source_strides.push_back(part.step * from[axis]);
        made.destination_strides.push_back(to[axis]);
      }
    }
    moves.regions = std::move(next);
  }
  return moves;
}

}  // namespace

TfLiteRegistration PadRegistration(OpForm form) { return MakeRegistration<Pad>(form); }
TfLiteRegistration Padv2Registration(OpForm form) { return MakeRegistration<PadV2>(form); }
TfLiteRegistration MirrorPadRegistration(OpForm form) { return MakeRegistration<MirrorPad>(form); }

}  // namespace tern
