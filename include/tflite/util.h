// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/util.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_UTIL_H_
#define TERN_TFLITE_UTIL_H_

#include "tensorflow/lite/util.h"

#endif  // TERN_TFLITE_UTIL_H_
