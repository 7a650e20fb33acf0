// SPDX-License-Identifier: Apache-2.0
// The asynchronous kernel of a delegate: functions that a signature runner calls for the one node
// that replaced a whole graph. A delegate hands it out by TfLiteOperatorSetAsyncKernel or the field
// async_kernel of its registration. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_C_ASYNC_KERNEL_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_C_ASYNC_KERNEL_H_

#include <stdbool.h>
#include <stddef.h>

#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/async/interop/c/attribute_map.h"
#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// A kernel without functions; the delegate deletes it, not before the runners that use it. Neither
// function touches kernel_data. A function that is not set fails: Error, false, or an empty list.
TFL_CAPI_EXPORT TfLiteAsyncKernel* TfLiteAsyncKernelCreate(void* kernel_data);
// Accepts NULL.
TFL_CAPI_EXPORT void TfLiteAsyncKernelDelete(TfLiteAsyncKernel* async_kernel);
// NULL for NULL.
TFL_CAPI_EXPORT void* TfLiteAsyncKernelGetKernelData(const TfLiteAsyncKernel* async_kernel);

// ---- Buffers. The runtime chooses `handle`, by which tasks name the buffer from then on. `buffer`
// and `attrs` are valid during the call; `attrs` is a buffer map. A slice lies in a registered
// buffer, at the offset and of the size that `attrs` gives. Unregistering does not free the buffer.
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetRegisterBuffer(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*register_buffer)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                    TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                    const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle));
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetRegisterBufferSlice(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*register_buffer_slice)(TfLiteAsyncKernel* async_kernel,
                                          TfLiteOpaqueContext* context,
                                          TfLiteBufferHandle buffer_pool,
                                          const TfLiteAttributeMap* attrs,
                                          TfLiteBufferHandle handle));
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetUnregisterBuffer(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*unregister_buffer)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                      TfLiteBufferHandle handle));

// ---- What the kernel can use: names of buffer and synchronization types, as an array that the
// kernel owns.
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetSupportedBufferTypes(
    TfLiteAsyncKernel* async_kernel,
    void (*supported_buffer_types)(const TfLiteAsyncKernel* async_kernel, TfLiteIoType io_type,
                                   const char* const** types, size_t* n_types));
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetSupportedSynchronizations(
    TfLiteAsyncKernel* async_kernel,
    void (*supported_synchronizations)(const TfLiteAsyncKernel* async_kernel, TfLiteIoType io_type,
                                       const char* const** types, size_t* n_types));

// ---- Agreement on attributes of a tensor. `merged` gets what both sides can do, with the
// attributes that the kernel does not know; `conflict`, which may be NULL, what they cannot. True
// without a conflict.
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetReconcileRestrictions(
    TfLiteAsyncKernel* async_kernel,
    bool (*reconcile_restrictions)(const TfLiteAsyncKernel* async_kernel,
                                   const TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                   int tensor_index,
                                   const TfLiteAttributeMap* user_provided_attributes,
                                   TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict));

// Fixes the attributes of a tensor; Ok when they cover what the kernel needs.
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetSetAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*set_attributes)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                   TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* attrs));

// The same of one buffer, whichever tensor it is for.
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetSetBufferAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*set_buffer_attributes)(TfLiteAsyncKernel* async_kernel,
                                          const TfLiteBackendBuffer* buffer,
                                          const TfLiteAttributeMap* attrs));
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetGetBufferAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*get_buffer_attributes)(TfLiteAsyncKernel* async_kernel,
                                          const TfLiteBackendBuffer* buffer,
                                          TfLiteAttributeMap* attrs));

// Prepares for the attributes that were set.
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetPrepare(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*prepare)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                            TfLiteOpaqueNode* node));

// ---- Runs. `eval` starts one; the runtime starts no task that is under way. `wait` returns when
// it is done, and may come from several threads. `finish` frees what the kernel keeps for the task;
// it is called once, in the end.
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetEval(TfLiteAsyncKernel* async_kernel,
                                              TfLiteStatus (*eval)(TfLiteAsyncKernel* async_kernel,
                                                                   TfLiteOpaqueContext* context,
                                                                   TfLiteOpaqueNode* node,
                                                                   TfLiteExecutionTask* task));
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetWait(TfLiteAsyncKernel* async_kernel,
                                              TfLiteStatus (*wait)(TfLiteAsyncKernel* async_kernel,
                                                                   TfLiteOpaqueContext* context,
                                                                   TfLiteExecutionTask* task));
TFL_CAPI_EXPORT void TfLiteAsyncKernelSetFinish(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*finish)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                           TfLiteExecutionTask* task));

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_C_ASYNC_KERNEL_H_
