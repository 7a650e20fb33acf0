// SPDX-License-Identifier: Apache-2.0
// Other spelling of tensorflow/lite/kernels/builtin_op_kernels.h.
#ifndef TERN_TENSORFLOW_LITE_CORE_KERNELS_BUILTIN_OP_KERNELS_H_
#define TERN_TENSORFLOW_LITE_CORE_KERNELS_BUILTIN_OP_KERNELS_H_

#include "tensorflow/lite/kernels/builtin_op_kernels.h"

#endif  // TERN_TENSORFLOW_LITE_CORE_KERNELS_BUILTIN_OP_KERNELS_H_
