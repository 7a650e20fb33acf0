// SPDX-License-Identifier: Apache-2.0
// UNIQUE: a vector -> its distinct values in the order in which they appear first, and for each
// element the number of its value.
#include <cstring>
#include <unordered_map>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Unique : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "UNIQUE"; }
  bool flushes_subnormals() const override { return false; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
};

Status Unique::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 2));
  const TfLiteTensor *input = call.input(0), *numbers = call.output(1);
  TERN_RETURN_IF_ERROR(CheckRank(input, 1, "input"));
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and values"));
  const TfLiteType type = call.params<TfLiteUniqueParams>().index_out_type;
  if (type != kTfLiteInt32 && type != kTfLiteInt64) {
    return Unsupported("idx_out_type must be INT32 or INT64 (", TypeText(type), ")");
  }
  if (numbers->type != type) {
    return Invalid("the numbers must have the type idx_out_type (", TypeText(numbers->type), ", ",
                   TypeText(type), ")");
  }
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(1), ShapeOf(input)));
  MakeDynamic(call.output(0));
  return OkStatus();
}

template <class T>
Status FindUnique(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor *values = call.output(0), *numbers = call.output(1);
  std::unordered_map<T, int64_t> known;
  std::vector<T> found;
  for (int64_t i = 0; i < Elements(input); ++i) {
    const T value = Data<T>(input)[i];
    const auto [at, added] = known.try_emplace(value, static_cast<int64_t>(found.size()));
    if (added) found.push_back(value);
    if (numbers->type == kTfLiteInt64) {
      MutableData<int64_t>(numbers)[i] = at->second;
    } else {
      MutableData<int32_t>(numbers)[i] = static_cast<int32_t>(at->second);
    }
  }
  TERN_RETURN_IF_ERROR(call.SetShape(values, {static_cast<int64_t>(found.size())}));
  TERN_RETURN_IF_ERROR(CheckData(values, "values"));
  if (!found.empty()) std::memcpy(values->data.raw, found.data(), found.size() * sizeof(T));
  return OkStatus();
}

Status Unique::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(1), "numbers"));
  switch (call.input(0)->type) {
    case kTfLiteUInt8:
      return FindUnique<uint8_t>(call);
    case kTfLiteInt8:
      return FindUnique<int8_t>(call);
    case kTfLiteInt16:
      return FindUnique<int16_t>(call);
    case kTfLiteInt32:
      return FindUnique<int32_t>(call);
    case kTfLiteInt64:
      return FindUnique<int64_t>(call);
    case kTfLiteFloat32:
      return FindUnique<float>(call);
    default:
      return Unsupported("type ", TypeText(call.input(0)->type), " is not supported yet (input)");
  }
}

}  // namespace

TfLiteRegistration UniqueRegistration(OpForm form) { return MakeRegistration<Unique>(form); }

}  // namespace tern
