// SPDX-License-Identifier: Apache-2.0
// RANGE: start, limit and delta -> start, start + delta, ... as far as the limit, which is not
// reached. Floats add delta again and again, as the reference does.
#include <cmath>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Range : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "RANGE"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  static Status SetOutputShape(const OpCall& call);
};

constexpr const char* kRangeNames[] = {"start", "limit", "delta"};

uint64_t Distance(int64_t low, int64_t high) {
  return static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
}

StatusOr<int64_t> IntegerCount(int64_t start, int64_t limit, int64_t delta) {
  if (delta == 0 || (delta > 0 ? start > limit : start < limit)) {
    return Invalid("delta does not lead from start to limit (", start, ", ", limit, ", ", delta,
                   ")");
  }
  const uint64_t span = delta > 0 ? Distance(start, limit) : Distance(limit, start);
  const uint64_t step = delta > 0 ? static_cast<uint64_t>(delta) : Distance(delta, 0);
  const uint64_t count = span / step + (span % step != 0);
  if (count > static_cast<uint64_t>(kMaxElements)) {
    return TooLarge("too many elements (", count, ", limit ", kMaxElements, ")");
  }
  return static_cast<int64_t>(count);
}

StatusOr<int64_t> FloatCount(float start, float limit, float delta) {
  const bool leads = delta > 0 ? start <= limit : delta < 0 && start >= limit;
  const float count = std::ceil(std::fabs((limit - start) / delta));
  if (!leads || std::isnan(count)) {
    return Invalid("delta does not lead from start to limit (", start, ", ", limit, ", ", delta,
                   ")");
  }
  constexpr int64_t kLimit = 1 << 30;  // within kMaxElements, and a float
  if (count > static_cast<float>(kLimit)) {
    return TooLarge("too many elements (", count, ", limit ", kLimit, ")");
  }
  return static_cast<int64_t>(count);
}

Status Range::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
  const TfLiteType type = call.output(0)->type;
  if (type != kTfLiteInt32 && type != kTfLiteInt64 && type != kTfLiteFloat32) {
    return Unsupported("type ", TypeText(type), " is not supported yet (output)");
  }
  for (int i = 0; i < 3; ++i) {
    TERN_RETURN_IF_ERROR(CheckRank(call.input(i), 0, kRangeNames[i]));
    TERN_RETURN_IF_ERROR(CheckSameType(call.input(i), call.output(0), "operands and output"));
  }
  if (AllConstant(call)) return SetOutputShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status Range::SetOutputShape(const OpCall& call) {
  for (int i = 0; i < 3; ++i) TERN_RETURN_IF_ERROR(CheckData(call.input(i), kRangeNames[i]));
  StatusOr<int64_t> count = 0;
  if (call.output(0)->type == kTfLiteFloat32) {
    count = FloatCount(*Data<float>(call.input(0)), *Data<float>(call.input(1)),
                       *Data<float>(call.input(2)));
  } else {
    int64_t values[3];
    for (int i = 0; i < 3; ++i) {
      TERN_ASSIGN_OR_RETURN(values[i], ReadInteger(call.input(i), kRangeNames[i]));
    }
    count = IntegerCount(values[0], values[1], values[2]);
  }
  if (!count.ok()) return count.status();
  return call.SetShape(call.output(0), {*count});
}

template <class T>
void Write(const OpCall& call) {
  const int64_t count = Elements(call.output(0));
  const T delta = *Data<T>(call.input(2));
  T value = *Data<T>(call.input(0));
  for (int64_t i = 0; i < count; ++i) {
    MutableData<T>(call.output(0))[i] = value;
    // An integer might not hold a value past the last element.
    if (i + 1 < count) value += delta;
  }
}

Status Range::Eval(const OpCall& call) {
  TfLiteTensor* output = call.output(0);
  if (IsDynamic(output)) TERN_RETURN_IF_ERROR(SetOutputShape(call));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  if (output->type == kTfLiteFloat32) {
    Write<float>(call);
  } else if (output->type == kTfLiteInt64) {
    Write<int64_t>(call);
  } else {
    Write<int32_t>(call);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration RangeRegistration(OpForm form) { return MakeRegistration<Range>(form); }

}  // namespace tern
