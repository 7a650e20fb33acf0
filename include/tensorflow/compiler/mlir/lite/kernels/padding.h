// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/padding.h (tools/make_forwards.py).
#ifndef TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_PADDING_H_
#define TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_PADDING_H_

#include "tensorflow/lite/kernels/padding.h"

#endif  // TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_PADDING_H_
