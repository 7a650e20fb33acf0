// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/interpreter_builder.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_INTERPRETER_BUILDER_H_
#define TERN_TFLITE_INTERPRETER_BUILDER_H_

#include "tensorflow/lite/interpreter_builder.h"

#endif  // TERN_TFLITE_INTERPRETER_BUILDER_H_
