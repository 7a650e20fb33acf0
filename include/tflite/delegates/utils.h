// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/utils.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_UTILS_H_
#define TERN_TFLITE_DELEGATES_UTILS_H_

#include "tensorflow/lite/delegates/utils.h"

#endif  // TERN_TFLITE_DELEGATES_UTILS_H_
