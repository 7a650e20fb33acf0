// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/tensor_functions.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_C_TENSOR_FUNCTIONS_H_
#define TERN_TFLITE_CORE_C_TENSOR_FUNCTIONS_H_

#include "tensorflow/lite/core/c/tensor_functions.h"

#endif  // TERN_TFLITE_CORE_C_TENSOR_FUNCTIONS_H_
