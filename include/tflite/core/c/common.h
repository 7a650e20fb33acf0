// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/common.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_C_COMMON_H_
#define TERN_TFLITE_CORE_C_COMMON_H_

#include "tensorflow/lite/core/c/common.h"

#endif  // TERN_TFLITE_CORE_C_COMMON_H_
