// SPDX-License-Identifier: Apache-2.0
// WHERE: the positions of the elements that are not zero, in row-major order, one row of indices
// (INT64) each.
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Where : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "WHERE"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override {
    return AllConstant(call) && Rank(call.input(0)) > 0;
  }

 private:
  Status SetOutputShape(const OpCall& call) const;
};

// Calls found(i) for every element i that is not zero; NaN is not, -0 is. Floats are judged by
// their bits, since arithmetic may take the smallest for zero.
template <class Found>
Status ForNonzero(const TfLiteTensor* t, const Found& found) {
  const auto walk = [&](const auto* data) {
    const int64_t count = Elements(t);
    for (int64_t i = 0; i < count; ++i) {
      if (data[i] != 0) found(i);
    }
    return OkStatus();
  };
  switch (t->type) {
    case kTfLiteBool:
    case kTfLiteUInt8:
      return walk(Data<uint8_t>(t));
    case kTfLiteInt8:
      return walk(Data<int8_t>(t));
    case kTfLiteInt16:
      return walk(Data<int16_t>(t));
    case kTfLiteInt32:
      return walk(Data<int32_t>(t));
    case kTfLiteUInt32:
      return walk(Data<uint32_t>(t));
    case kTfLiteInt64:
      return walk(Data<int64_t>(t));
    case kTfLiteFloat32: {
      const uint32_t* bits = Data<uint32_t>(t);
      for (int64_t i = 0; i < Elements(t); ++i) {
        if (bits[i] << 1 != 0) found(i);
      }
      return OkStatus();
    }
    default:
      return Unsupported("type ", TypeText(t->type), " is not supported yet (condition)");
  }
}

Status Where::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt64, "output"));
  // A scalar is refused when the op runs: a model that never gets there may hold one.
  if (IsConstant(call.input(0)) && Rank(call.input(0)) > 0) return SetOutputShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status Where::SetOutputShape(const OpCall& call) const {
  const TfLiteTensor* condition = call.input(0);
  TERN_RETURN_IF_ERROR(CheckData(condition, "condition"));
  int64_t count = 0;
  TERN_RETURN_IF_ERROR(ForNonzero(condition, [&](int64_t) { ++count; }));
  return call.SetShape(call.output(0), {count, Rank(condition)});
}

Status Where::Eval(const OpCall& call) {
  const TfLiteTensor* condition = call.input(0);
  if (Rank(condition) < 1) return Invalid("the condition must have a rank (0)");
  if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(SetOutputShape(call));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const Shape shape = ShapeOf(condition);
  int64_t* row = MutableData<int64_t>(call.output(0));
  return ForNonzero(condition, [&](int64_t position) {
    for (size_t axis = shape.size(); axis-- > 0;) {
      row[axis] = position % shape[axis];
      position /= shape[axis];
    }
    row += shape.size();
  });
}

}  // namespace

TfLiteRegistration WhereRegistration(OpForm form) { return MakeRegistration<Where>(form); }

}  // namespace tern
