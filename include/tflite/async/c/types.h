// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/async/c/types.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_ASYNC_C_TYPES_H_
#define TERN_TFLITE_ASYNC_C_TYPES_H_

#include "tensorflow/lite/async/c/types.h"

#endif  // TERN_TFLITE_ASYNC_C_TYPES_H_
