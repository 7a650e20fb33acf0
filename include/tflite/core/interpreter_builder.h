// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/interpreter_builder.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_INTERPRETER_BUILDER_H_
#define TERN_TFLITE_CORE_INTERPRETER_BUILDER_H_

#include "tensorflow/lite/core/interpreter_builder.h"

#endif  // TERN_TFLITE_CORE_INTERPRETER_BUILDER_H_
