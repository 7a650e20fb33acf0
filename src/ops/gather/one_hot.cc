// SPDX-License-Identifier: Apache-2.0
// ONE_HOT: indices, depth, on, off -> a new axis of size depth that holds on at the index and off
// elsewhere; an index outside has no on.
#include <cstring>

#include "ops/cpu_kit/movement.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class OneHot : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "ONE_HOT"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  Status SetOutputShape(const OpCall& call);

  size_t axis_ = 0;
};

Status OneHot::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(call.CheckOperands(4, 4, 1));
  const TfLiteTensor *indices = call.input(0), *on = call.input(2), *off = call.input(3);
  if (indices->type != kTfLiteInt32 && indices->type != kTfLiteInt64) {
    return Invalid("indices must be INT32 or INT64 (", TypeText(indices->type), ")");
  }
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "depth"));
  if (ElementBytes(on->type) == 0) {
    return Unsupported("type ", TypeText(on->type), " is not supported yet (on)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(on, off, "on and off"));
  TERN_RETURN_IF_ERROR(CheckSameType(on, call.output(0), "on and output"));
  if (Elements(on) != 1 || Elements(off) != 1) {
    return Invalid("on and off must be one number each (shapes ", ShapeText(ShapeOf(on)), ", ",
                   ShapeText(ShapeOf(off)), ")");
  }
  TERN_ASSIGN_OR_RETURN(axis_, AxisOf(call.params<TfLiteOneHotParams>().axis,
                                      static_cast<size_t>(Rank(indices)) + 1));
  if (IsConstant(call.input(1))) return SetOutputShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status OneHot::SetOutputShape(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const int64_t depth, ReadInteger(call.input(1), "depth"));
  if (depth < 0) return Invalid("depth is negative (", depth, ")");
  Shape shape = ShapeOf(call.input(0));
  shape.insert(shape.begin() + static_cast<long>(axis_), depth);
  return call.SetShape(call.output(0), shape);
}

Status OneHot::Eval(const OpCall& call) {
  const TfLiteTensor *on = call.input(2), *off = call.input(3);
  TfLiteTensor* output = call.output(0);
  if (IsDynamic(output)) TERN_RETURN_IF_ERROR(SetOutputShape(call));
  TERN_ASSIGN_OR_RETURN(const Shape indices, ReadIntegers(call.input(0), "indices"));
  TERN_RETURN_IF_ERROR(CheckData(on, "on"));
  TERN_RETURN_IF_ERROR(CheckData(off, "off"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  const int64_t bytes = ElementBytes(output->type), depth = Dim(output, static_cast<int>(axis_));
  FillElements(output, off->data.raw_const, bytes);
  int64_t inner = 1;
  for (int i = static_cast<int>(axis_) + 1; i < Rank(output); ++i) inner *= Dim(output, i);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= depth) continue;
    const int64_t at = static_cast<int64_t>(i) / inner * depth + indices[i];
    std::memcpy(output->data.raw + (at * inner + static_cast<int64_t>(i) % inner) * bytes,
                on->data.raw_const, static_cast<size_t>(bytes));
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration OneHotRegistration(OpForm form) { return MakeRegistration<OneHot>(form); }

}  // namespace tern
