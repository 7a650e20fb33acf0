// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/c/async_kernel.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_ASYNC_C_ASYNC_KERNEL_H_
#define TERN_TFLITE_CORE_ASYNC_C_ASYNC_KERNEL_H_

#include "tensorflow/lite/core/async/c/async_kernel.h"

#endif  // TERN_TFLITE_CORE_ASYNC_C_ASYNC_KERNEL_H_
