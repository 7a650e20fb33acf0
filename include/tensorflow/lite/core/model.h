// SPDX-License-Identifier: Apache-2.0
//
// Everything needed to get from a model file to an interpreter.
#ifndef TERN_TENSORFLOW_LITE_CORE_MODEL_H_
#define TERN_TENSORFLOW_LITE_CORE_MODEL_H_

#include "tensorflow/lite/core/interpreter_builder.h"
#include "tensorflow/lite/core/model_builder.h"

#endif  // TERN_TENSORFLOW_LITE_CORE_MODEL_H_
