// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/interpreter.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_INTERPRETER_H_
#define TERN_TFLITE_CORE_INTERPRETER_H_

#include "tensorflow/lite/core/interpreter.h"

#endif  // TERN_TFLITE_CORE_INTERPRETER_H_
