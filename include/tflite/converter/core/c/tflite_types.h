// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/c_api_types.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONVERTER_CORE_C_TFLITE_TYPES_H_
#define TERN_TFLITE_CONVERTER_CORE_C_TFLITE_TYPES_H_

#include "tensorflow/lite/core/c/c_api_types.h"

#endif  // TERN_TFLITE_CONVERTER_CORE_C_TFLITE_TYPES_H_
