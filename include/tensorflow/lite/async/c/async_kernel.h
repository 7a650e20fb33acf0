// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/c/async_kernel.h.
#ifndef TERN_TENSORFLOW_LITE_ASYNC_C_ASYNC_KERNEL_H_
#define TERN_TENSORFLOW_LITE_ASYNC_C_ASYNC_KERNEL_H_

#include "tensorflow/lite/core/async/c/async_kernel.h"

#endif  // TERN_TENSORFLOW_LITE_ASYNC_C_ASYNC_KERNEL_H_
