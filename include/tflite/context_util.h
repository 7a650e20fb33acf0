// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/context_util.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONTEXT_UTIL_H_
#define TERN_TFLITE_CONTEXT_UTIL_H_

#include "tensorflow/lite/context_util.h"

#endif  // TERN_TFLITE_CONTEXT_UTIL_H_
