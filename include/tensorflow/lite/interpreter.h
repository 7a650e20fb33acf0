// SPDX-License-Identifier: Apache-2.0
//
// The header of Interpreter under its usual path.
#ifndef TERN_TENSORFLOW_LITE_INTERPRETER_H_
#define TERN_TENSORFLOW_LITE_INTERPRETER_H_

#include "tensorflow/lite/core/interpreter.h"

#endif  // TERN_TENSORFLOW_LITE_INTERPRETER_H_
