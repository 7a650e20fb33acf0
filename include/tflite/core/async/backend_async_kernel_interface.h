// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/backend_async_kernel_interface.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_ASYNC_BACKEND_ASYNC_KERNEL_INTERFACE_H_
#define TERN_TFLITE_CORE_ASYNC_BACKEND_ASYNC_KERNEL_INTERFACE_H_

#include "tensorflow/lite/core/async/backend_async_kernel_interface.h"

#endif  // TERN_TFLITE_CORE_ASYNC_BACKEND_ASYNC_KERNEL_INTERFACE_H_
