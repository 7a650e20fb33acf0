// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/runtime_shape.h (tools/make_forwards.py).
#ifndef TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_INTERNAL_RUNTIME_SHAPE_H_
#define TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_INTERNAL_RUNTIME_SHAPE_H_

#include "tensorflow/lite/kernels/internal/runtime_shape.h"

#endif  // TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_INTERNAL_RUNTIME_SHAPE_H_
