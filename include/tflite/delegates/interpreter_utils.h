// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/interpreter_utils.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_INTERPRETER_UTILS_H_
#define TERN_TFLITE_DELEGATES_INTERPRETER_UTILS_H_

#include "tensorflow/lite/delegates/interpreter_utils.h"

#endif  // TERN_TFLITE_DELEGATES_INTERPRETER_UTILS_H_
