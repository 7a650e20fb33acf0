// SPDX-License-Identifier: Apache-2.0
// Sets variables to their first values.
#ifndef TERN_TENSORFLOW_LITE_CORE_API_TENSOR_UTILS_H_
#define TERN_TENSORFLOW_LITE_CORE_API_TENSOR_UTILS_H_

#include <cstring>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

// Fills a variable with what stands for the real value 0: the zero point of INT8, bytes of 0 in all
// other types. Other tensors, and those without memory, stay as they are.
inline TfLiteStatus ResetVariableTensor(TfLiteTensor* tensor) {
  if (!tensor->is_variable || tensor->data.raw == nullptr) return kTfLiteOk;
  const int value = tensor->type == kTfLiteInt8 ? tensor->params.zero_point : 0;
  std::memset(tensor->data.raw, value, tensor->bytes);
  return kTfLiteOk;
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_API_TENSOR_UTILS_H_
