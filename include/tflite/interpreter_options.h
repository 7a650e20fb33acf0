// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/interpreter_options.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_INTERPRETER_OPTIONS_H_
#define TERN_TFLITE_INTERPRETER_OPTIONS_H_

#include "tensorflow/lite/interpreter_options.h"

#endif  // TERN_TFLITE_INTERPRETER_OPTIONS_H_
