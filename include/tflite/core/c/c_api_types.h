// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/c_api_types.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_C_C_API_TYPES_H_
#define TERN_TFLITE_CORE_C_C_API_TYPES_H_

#include "tensorflow/lite/core/c/c_api_types.h"

#endif  // TERN_TFLITE_CORE_C_C_API_TYPES_H_
