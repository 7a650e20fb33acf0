// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/async/c/async_kernel.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_ASYNC_C_ASYNC_KERNEL_H_
#define TERN_TFLITE_ASYNC_C_ASYNC_KERNEL_H_

#include "tensorflow/lite/async/c/async_kernel.h"

#endif  // TERN_TFLITE_ASYNC_C_ASYNC_KERNEL_H_
