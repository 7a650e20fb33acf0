// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/common.h (tools/make_forwards.py).
#ifndef TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_INTERNAL_COMMON_H_
#define TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_INTERNAL_COMMON_H_

#include "tensorflow/lite/kernels/internal/common.h"

#endif  // TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_INTERNAL_COMMON_H_
