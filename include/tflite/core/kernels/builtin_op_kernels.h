// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/kernels/builtin_op_kernels.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_KERNELS_BUILTIN_OP_KERNELS_H_
#define TERN_TFLITE_CORE_KERNELS_BUILTIN_OP_KERNELS_H_

#include "tensorflow/lite/core/kernels/builtin_op_kernels.h"

#endif  // TERN_TFLITE_CORE_KERNELS_BUILTIN_OP_KERNELS_H_
