// SPDX-License-Identifier: Apache-2.0
//
// The header of InterpreterBuilder under its usual path.
#ifndef TERN_TENSORFLOW_LITE_INTERPRETER_BUILDER_H_
#define TERN_TENSORFLOW_LITE_INTERPRETER_BUILDER_H_

#include "tensorflow/lite/core/interpreter_builder.h"

#endif  // TERN_TENSORFLOW_LITE_INTERPRETER_BUILDER_H_
