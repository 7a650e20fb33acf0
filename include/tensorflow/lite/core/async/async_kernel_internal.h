// SPDX-License-Identifier: Apache-2.0
// The content of the handle of an asynchronous kernel; c/async_kernel.h sets these fields and says
// what the functions do.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_ASYNC_KERNEL_INTERNAL_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_ASYNC_KERNEL_INTERNAL_H_

#include <cstddef>

#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/async/interop/c/attribute_map.h"
#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"

struct TfLiteAsyncKernel {
  void* kernel_data = nullptr;  // the backend's
  TfLiteStatus (*register_buffer)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteIoType,
                                  const TfLiteBackendBuffer*, const TfLiteAttributeMap*,
                                  TfLiteBufferHandle) = nullptr;
  TfLiteStatus (*register_buffer_slice)(TfLiteAsyncKernel*, TfLiteOpaqueContext*,
                                        TfLiteBufferHandle, const TfLiteAttributeMap*,
                                        TfLiteBufferHandle) = nullptr;
  TfLiteStatus (*unregister_buffer)(TfLiteAsyncKernel*, TfLiteOpaqueContext*,
                                    TfLiteBufferHandle) = nullptr;
  void (*supported_buffer_types)(const TfLiteAsyncKernel*, TfLiteIoType, const char* const**,
                                 size_t*) = nullptr;
  void (*supported_synchronizations)(const TfLiteAsyncKernel*, TfLiteIoType, const char* const**,
                                     size_t*) = nullptr;
  bool (*reconcile_restrictions)(const TfLiteAsyncKernel*, const TfLiteOpaqueContext*,
                                 const TfLiteOpaqueNode*, int, const TfLiteAttributeMap*,
                                 TfLiteAttributeMap*, TfLiteAttributeMap*) = nullptr;
  TfLiteStatus (*set_attributes)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteOpaqueNode*, int,
                                 const TfLiteAttributeMap*) = nullptr;
  TfLiteStatus (*set_buffer_attributes)(TfLiteAsyncKernel*, const TfLiteBackendBuffer*,
                                        const TfLiteAttributeMap*) = nullptr;
  TfLiteStatus (*get_buffer_attributes)(TfLiteAsyncKernel*, const TfLiteBackendBuffer*,
                                        TfLiteAttributeMap*) = nullptr;
  TfLiteStatus (*prepare)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteOpaqueNode*) = nullptr;
  TfLiteStatus (*eval)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteOpaqueNode*,
                       TfLiteExecutionTask*) = nullptr;
  TfLiteStatus (*wait)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteExecutionTask*) = nullptr;
  TfLiteStatus (*finish)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteExecutionTask*) = nullptr;
};

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_ASYNC_KERNEL_INTERNAL_H_
