// SPDX-License-Identifier: Apache-2.0
// String tensors as operands and results of ops.
#ifndef TERN_OPS_CPU_KIT_STRINGS_H_
#define TERN_OPS_CPU_KIT_STRINGS_H_

#include "ops/cpu_kit/op_kit.h"
#include "tensorflow/lite/string_util.h"

namespace tern {

// A string tensor must hold one string per element of its shape.
Status CheckStrings(const TfLiteTensor* t, const char* what);

Status AddString(const TfLiteTensor* from, int64_t number, tflite::DynamicBuffer& strings);

// The strings become the contents of `to`, which keeps its shape.
Status WriteStrings(tflite::DynamicBuffer& strings, TfLiteTensor* to);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_STRINGS_H_
