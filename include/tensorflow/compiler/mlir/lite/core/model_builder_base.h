// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/model_builder.h (tools/make_forwards.py).
#ifndef TERN_TENSORFLOW_COMPILER_MLIR_LITE_CORE_MODEL_BUILDER_BASE_H_
#define TERN_TENSORFLOW_COMPILER_MLIR_LITE_CORE_MODEL_BUILDER_BASE_H_

#include "tensorflow/lite/core/model_builder.h"

#endif  // TERN_TENSORFLOW_COMPILER_MLIR_LITE_CORE_MODEL_BUILDER_BASE_H_
