// SPDX-License-Identifier: Apache-2.0
// PAD: input of rank 1 to 5 and paddings [rank, 2] (before, after) -> input surrounded by zeros (by
// the zero point when the type is quantized).
#include <algorithm>
#include <cstring>

#include "ops/cpu_registry.h"
#include "ops/movement/region.h"
#include "ops/op_kit.h"

namespace tern {
namespace {

constexpr int kMaxRank = 5;

class Pad : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "PAD"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  Status SetPaddings(const OpCall& call);

  Region region_;
};

Status Pad::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  const TfLiteTensor* input = call.input(0);
  const TfLiteTensor* paddings = call.input(1);
  if (ElementBytes(input->type) == 0) {
    return Unsupported("type ", TypeText(input->type), " is not supported yet (input)");
  }
  if (call.output(0)->type != input->type) {
    return Invalid("the output must have the input's type (", TypeText(call.output(0)->type), ", ",
                   TypeText(input->type), ")");
  }
  if (Rank(input) > kMaxRank) {
    return Unsupported("input rank is too high (", Rank(input), ", limit ", kMaxRank, ")");
  }
  if (Rank(paddings) != 2 || Dim(paddings, 0) != Rank(input) || Dim(paddings, 1) != 2) {
    return Invalid("paddings must be [rank, 2] (shape ", ShapeText(ShapeOf(paddings)),
                   ", input rank ", Rank(input), ")");
  }
  if (IsConstant(paddings)) return SetPaddings(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status Pad::SetPaddings(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape paddings, ReadIntegers(call.input(1), "paddings"));
  const Shape input = ShapeOf(call.input(0));
  Shape output(input.size()), before(input.size());
  for (size_t i = 0; i < input.size(); ++i) {
    const int64_t after = paddings[2 * i + 1];
    before[i] = paddings[2 * i];
    if (before[i] < 0 || after < 0 || before[i] > kMaxElements || after > kMaxElements) {
      return Invalid("paddings must lie in 0..", kMaxElements, " (", before[i], ", ", after, ")");
    }
    output[i] = input[i] + before[i] + after;
  }
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), output));
  region_ = PadRegion(input, output, before);
  return OkStatus();
}

Status Pad::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor* output = call.output(0);
  if (!IsConstant(call.input(1))) TERN_RETURN_IF_ERROR(SetPaddings(call));
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  const int64_t elements = Elements(output);
  if (elements == 0) return OkStatus();
  const int64_t bytes = ElementBytes(output->type);
  if (output->type == kTfLiteInt16) {
    std::fill_n(MutableData<int16_t>(output), elements,
                static_cast<int16_t>(output->params.zero_point));
  } else {
    const bool quantized = output->type == kTfLiteInt8 || output->type == kTfLiteUInt8;
    std::memset(output->data.raw, quantized ? output->params.zero_point : 0,
                static_cast<size_t>(elements * bytes));
  }
  CopyRegion(region_, input->data.raw_const, output->data.raw, bytes);
  return OkStatus();
}

}  // namespace

TfLiteRegistration PadRegistration(OpForm form) { return MakeRegistration<Pad>(form); }

}  // namespace tern
