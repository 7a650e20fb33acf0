// SPDX-License-Identifier: Apache-2.0
// One asynchronous run: its buffers and synchronizations by tensor, and its status. C11 and C++17.
// Made and deleted by a signature runner (async_signature_runner.h). Not thread-safe but for the
// status.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_C_TASK_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_C_TASK_H_

#include <stdint.h>

#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Buffers, by the name in the signature or by tensor index. Error for NULL or an unknown name;
// an index is not checked.
TFL_CAPI_EXPORT TfLiteStatus TfLiteExecutionTaskSetBuffer(TfLiteExecutionTask* task,
                                                          TfLiteIoType io_type,
                                                          const char* tensor_signature_name,
                                                          TfLiteBufferHandle handle);
TFL_CAPI_EXPORT TfLiteStatus TfLiteExecutionTaskSetBufferByIndex(TfLiteExecutionTask* task,
                                                                 int tensor_index,
                                                                 TfLiteBufferHandle handle);
// kTfLiteNullBufferHandle for NULL, an unknown name, or a tensor that got none.
TFL_CAPI_EXPORT TfLiteBufferHandle TfLiteExecutionTaskGetBufferByName(
    const TfLiteExecutionTask* task, TfLiteIoType io_type, const char* tensor_signature_name);
TFL_CAPI_EXPORT TfLiteBufferHandle
TfLiteExecutionTaskGetBufferByIndex(const TfLiteExecutionTask* task, int tensor_index);

// ---- Synchronizations, found as buffers are. Not owned. NULL says that an input is complete when
// the run starts, and that nobody waits for an output but by TfLiteAsyncSignatureRunnerWait.
TFL_CAPI_EXPORT TfLiteStatus TfLiteExecutionTaskSetSync(TfLiteExecutionTask* task,
                                                        TfLiteIoType io_type,
                                                        const char* tensor_signature_name,
                                                        TfLiteSynchronization* sync);
TFL_CAPI_EXPORT TfLiteStatus TfLiteExecutionTaskSetSyncByIndex(TfLiteExecutionTask* task,
                                                               int tensor_index,
                                                               TfLiteSynchronization* sync);
TFL_CAPI_EXPORT TfLiteSynchronization* TfLiteExecutionTaskGetSyncByName(
    const TfLiteExecutionTask* task, TfLiteIoType io_type, const char* tensor_signature_name);
TFL_CAPI_EXPORT TfLiteSynchronization* TfLiteExecutionTaskGetSyncByIndex(
    const TfLiteExecutionTask* task, int tensor_index);

// ---- A pointer that the kernel keeps with the run, not owned; NULL before it is set.
TFL_CAPI_EXPORT void* TfLiteExecutionTaskGetDelegateExecutionData(const TfLiteExecutionTask* task,
                                                                  TfLiteAsyncKernel* kernel);
TFL_CAPI_EXPORT void TfLiteExecutionTaskSetDelegateExecutionData(TfLiteExecutionTask* task,
                                                                 TfLiteAsyncKernel* kernel,
                                                                 void* data);

// ---- The latest status: Ok at first, Error for a NULL task.
TFL_CAPI_EXPORT TfLiteStatus TfLiteExecutionTaskGetStatus(const TfLiteExecutionTask* task);
TFL_CAPI_EXPORT void TfLiteExecutionTaskSetStatus(TfLiteExecutionTask* task, TfLiteStatus status);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_C_TASK_H_
