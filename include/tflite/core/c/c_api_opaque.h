// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/c_api_opaque.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_C_C_API_OPAQUE_H_
#define TERN_TFLITE_CORE_C_C_API_OPAQUE_H_

#include "tensorflow/lite/core/c/c_api_opaque.h"

#endif  // TERN_TFLITE_CORE_C_C_API_OPAQUE_H_
