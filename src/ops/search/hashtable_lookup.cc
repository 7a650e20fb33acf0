// SPDX-License-Identifier: Apache-2.0
// HASHTABLE_LOOKUP: wanted keys [n], sorted keys [k] (INT32) and values [k, ...] -> the rows of the
// wanted keys, and which of them were found (UINT8). The row of a missing key is 0, or empty
// strings.
#include <algorithm>
#include <cstring>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/strings.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

enum LookupInput { kWanted, kKeys, kValues };

class HashtableLookup : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "HASHTABLE_LOOKUP"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
};

Status HashtableLookup::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 2));
  const TfLiteTensor *wanted = call.input(kWanted), *keys = call.input(kKeys);
  const TfLiteTensor* values = call.input(kValues);
  TERN_RETURN_IF_ERROR(CheckType(wanted, kTfLiteInt32, "wanted keys"));
  TERN_RETURN_IF_ERROR(CheckType(keys, kTfLiteInt32, "keys"));
  TERN_RETURN_IF_ERROR(CheckRank(wanted, 1, "wanted keys"));
  TERN_RETURN_IF_ERROR(CheckRank(keys, 1, "keys"));
  if (Rank(values) < 1 || Dim(values, 0) != Dim(keys, 0)) {
    return Invalid("there must be a value per key (", ShapeText(ShapeOf(values)), ", ",
                   Dim(keys, 0), ")");
  }
  const bool strings = values->type == kTfLiteString;
  if (strings) {
    TERN_RETURN_IF_ERROR(CheckRank(values, 1, "strings"));
  } else {
    TERN_RETURN_IF_ERROR(CheckType(values, kTfLiteFloat32, "values"));
  }
  TERN_RETURN_IF_ERROR(CheckSameType(values, call.output(0), "values and output"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(1), kTfLiteUInt8, "hits"));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(1), {Dim(wanted, 0)}));
  Shape shape = ShapeOf(values);
  shape[0] = Dim(wanted, 0);
  if (strings) MakeDynamic(call.output(0));
  return call.SetShape(call.output(0), shape);
}

// The row of a key, or -1.
int64_t RowOf(const TfLiteTensor* keys, int32_t key) {
  const int32_t *first = Data<int32_t>(keys), *last = first + Dim(keys, 0);
  const int32_t* found = std::lower_bound(first, last, key);
  return found != last && *found == key ? found - first : -1;
}

Status HashtableLookup::Eval(const OpCall& call) {
  const TfLiteTensor *wanted = call.input(kWanted), *keys = call.input(kKeys);
  const TfLiteTensor* values = call.input(kValues);
  TfLiteTensor* output = call.output(0);
  const bool strings = values->type == kTfLiteString;
  TERN_RETURN_IF_ERROR(CheckData(wanted, "wanted keys"));
  TERN_RETURN_IF_ERROR(CheckData(keys, "keys"));
  TERN_RETURN_IF_ERROR(strings ? CheckStrings(values, "values") : CheckData(values, "values"));
  if (!strings) TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(1), "hits"));
  const int64_t rows = Dim(keys, 0);
  const auto bytes = strings || rows == 0
                         ? size_t{0}
                         : static_cast<size_t>(Elements(values) / rows) * sizeof(float);
  tflite::DynamicBuffer texts;
  if (output->data.raw != nullptr && !strings) std::memset(output->data.raw, 0, output->bytes);
  for (int64_t i = 0; i < Dim(wanted, 0); ++i) {
    const int64_t row = RowOf(keys, Data<int32_t>(wanted)[i]);
    MutableData<uint8_t>(call.output(1))[i] = row >= 0 ? 1 : 0;
    if (strings) {
      if (row >= 0) {
        TERN_RETURN_IF_ERROR(AddString(values, row, texts));
      } else if (texts.AddString("", 0) != kTfLiteOk) {
        return TooLarge("the strings are too long together");
      }
    } else if (row >= 0 && bytes > 0) {
      std::memcpy(output->data.raw + i * static_cast<int64_t>(bytes),
                  values->data.raw_const + row * static_cast<int64_t>(bytes), bytes);
    }
  }
  return strings ? WriteStrings(texts, output) : OkStatus();
}

}  // namespace

TfLiteRegistration HashtableLookupRegistration(OpForm form) {
  return MakeRegistration<HashtableLookup>(form);
}

}  // namespace tern
