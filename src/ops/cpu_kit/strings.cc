// SPDX-License-Identifier: Apache-2.0
// Checked reading and writing of string tensors.
#include "ops/cpu_kit/strings.h"

namespace tern {

Status CheckStrings(const TfLiteTensor* t, const char* what) {
  const int64_t want = Elements(t), have = tflite::GetStringCount(t);
  if (have == want) return OkStatus();
  return Invalid(what, " holds another number of strings than its shape says (", have, ", ", want,
                 ")");
}

Status AddString(const TfLiteTensor* from, int64_t number, tflite::DynamicBuffer& strings) {
  if (strings.AddString(tflite::GetString(from, static_cast<int>(number))) == kTfLiteOk) {
    return OkStatus();
  }
  return TooLarge("the strings are too long together");
}

Status WriteStrings(tflite::DynamicBuffer& strings, TfLiteTensor* to) {
  strings.WriteToTensor(to, nullptr);
  if (to->data.raw == nullptr) return TooLarge("no memory for strings");
  return OkStatus();
}

}  // namespace tern
