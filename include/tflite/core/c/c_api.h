// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/c_api.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_C_C_API_H_
#define TERN_TFLITE_CORE_C_C_API_H_

#include "tensorflow/lite/core/c/c_api.h"

#endif  // TERN_TFLITE_CORE_C_C_API_H_
