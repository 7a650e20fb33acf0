// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/async/backend_async_kernel_interface.h.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_BACKEND_ASYNC_KERNEL_INTERFACE_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_BACKEND_ASYNC_KERNEL_INTERFACE_H_

#include "tensorflow/lite/async/backend_async_kernel_interface.h"

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_BACKEND_ASYNC_KERNEL_INTERFACE_H_
