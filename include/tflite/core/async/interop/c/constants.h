// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/interop/c/constants.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_ASYNC_INTEROP_C_CONSTANTS_H_
#define TERN_TFLITE_CORE_ASYNC_INTEROP_C_CONSTANTS_H_

#include "tensorflow/lite/core/async/interop/c/constants.h"

#endif  // TERN_TFLITE_CORE_ASYNC_INTEROP_C_CONSTANTS_H_
