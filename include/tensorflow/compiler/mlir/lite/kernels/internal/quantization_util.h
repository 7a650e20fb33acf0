// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/quantization_util.h (tools/make_forwards.py).
#ifndef TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_INTERNAL_QUANTIZATION_UTIL_H_
#define TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_INTERNAL_QUANTIZATION_UTIL_H_

#include "tensorflow/lite/kernels/internal/quantization_util.h"

#endif  // TERN_TENSORFLOW_COMPILER_MLIR_LITE_KERNELS_INTERNAL_QUANTIZATION_UTIL_H_
