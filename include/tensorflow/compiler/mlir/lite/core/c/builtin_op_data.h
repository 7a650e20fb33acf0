// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/builtin_op_data.h (tools/make_forwards.py).
#ifndef TERN_TENSORFLOW_COMPILER_MLIR_LITE_CORE_C_BUILTIN_OP_DATA_H_
#define TERN_TENSORFLOW_COMPILER_MLIR_LITE_CORE_C_BUILTIN_OP_DATA_H_

#include "tensorflow/lite/core/c/builtin_op_data.h"

#endif  // TERN_TENSORFLOW_COMPILER_MLIR_LITE_CORE_C_BUILTIN_OP_DATA_H_
