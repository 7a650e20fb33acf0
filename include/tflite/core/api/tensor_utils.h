// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/api/tensor_utils.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_API_TENSOR_UTILS_H_
#define TERN_TFLITE_CORE_API_TENSOR_UTILS_H_

#include "tensorflow/lite/core/api/tensor_utils.h"

#endif  // TERN_TFLITE_CORE_API_TENSOR_UTILS_H_
