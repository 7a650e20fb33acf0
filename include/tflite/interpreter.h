// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/interpreter.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_INTERPRETER_H_
#define TERN_TFLITE_INTERPRETER_H_

#include "tensorflow/lite/interpreter.h"

#endif  // TERN_TFLITE_INTERPRETER_H_
