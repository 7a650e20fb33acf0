// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/macros.h (tools/make_forwards.py).
#ifndef TERN_TENSORFLOW_COMPILER_MLIR_LITE_CORE_MACROS_H_
#define TERN_TENSORFLOW_COMPILER_MLIR_LITE_CORE_MACROS_H_

#include "tensorflow/lite/core/macros.h"

#endif  // TERN_TENSORFLOW_COMPILER_MLIR_LITE_CORE_MACROS_H_
