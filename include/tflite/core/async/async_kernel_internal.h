// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/async_kernel_internal.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_ASYNC_ASYNC_KERNEL_INTERNAL_H_
#define TERN_TFLITE_CORE_ASYNC_ASYNC_KERNEL_INTERNAL_H_

#include "tensorflow/lite/core/async/async_kernel_internal.h"

#endif  // TERN_TFLITE_CORE_ASYNC_ASYNC_KERNEL_INTERNAL_H_
