// SPDX-License-Identifier: Apache-2.0
// Runs of a signature that a delegate's asynchronous kernel carries out on buffers of the platform.
// C11 and C++17.
//
// The order of calls: register buffers and set attributes, prepare, create a task, give it its
// buffers, invoke, wait, finish. It works on a graph that one delegate with such a kernel took
// whole. On any other graph a runner still names inputs and outputs, and everything else fails with
// kTfLiteError, so that the program can run the signature synchronously instead.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/async/interop/c/attribute_map.h"
#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/core/c/c_api.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteAsyncSignatureRunner TfLiteAsyncSignatureRunner;

// NULL for an unknown key. A NULL key is the primary graph: its signature or, in a model without
// signatures, the names of the tensors. Apply the delegate first; delete the runner before the
// interpreter. Runners of the same signature stand for one: they share its buffers.
TFL_CAPI_EXPORT TfLiteAsyncSignatureRunner* TfLiteInterpreterGetAsyncSignatureRunner(
    const TfLiteInterpreter* interpreter, const char* signature_key);
// Accepts NULL.
TFL_CAPI_EXPORT void TfLiteAsyncSignatureRunnerDelete(TfLiteAsyncSignatureRunner* signature_runner);

// ---- Buffers. *handle becomes the buffer's name in tasks, or kTfLiteNullBufferHandle on failure.
// `attrs` must be a buffer map. Slices are unregistered before the buffer that they lie in.
TFL_CAPI_EXPORT TfLiteStatus TfLiteAsyncSignatureRunnerRegisterBuffer(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const TfLiteBackendBuffer* buffer, const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle);
TFL_CAPI_EXPORT TfLiteStatus TfLiteAsyncSignatureRunnerRegisterBufferSlice(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteBufferHandle buffer_pool,
    const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle);
TFL_CAPI_EXPORT TfLiteStatus TfLiteAsyncSignatureRunnerUnregisterBuffer(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteBufferHandle handle);

// ---- Names of buffer and synchronization types, as an array that lives as long as the runner.
TFL_CAPI_EXPORT TfLiteStatus TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const char* const** types, size_t* num_types);
TFL_CAPI_EXPORT TfLiteStatus TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const char* const** types, size_t* num_types);

// ---- Attributes of a tensor, by the name in the signature or by tensor index. Reconcile fills
// `merged` with what application and backend agree on and `conflict`, which may be NULL, with what
// they do not; true without a conflict. Set fixes them; prepare afterwards.
TFL_CAPI_EXPORT bool TfLiteAsyncSignatureRunnerReconcileRestrictions(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const char* name, const TfLiteAttributeMap* user_provided_attributes,
    TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict);
TFL_CAPI_EXPORT bool TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int tensor_index,
    const TfLiteAttributeMap* user_provided_attributes, TfLiteAttributeMap* merged,
    TfLiteAttributeMap* conflict);
TFL_CAPI_EXPORT TfLiteStatus TfLiteAsyncSignatureRunnerSetAttributes(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type, const char* name,
    const TfLiteAttributeMap* attrs);
TFL_CAPI_EXPORT TfLiteStatus
TfLiteAsyncSignatureRunnerSetAttributesByIndex(TfLiteAsyncSignatureRunner* async_signature_runner,
                                               int tensor_index, const TfLiteAttributeMap* attrs);

// ---- Runs. A task under way cannot be invoked again before Wait. Wait without a run gives the
// latest status. Finish deletes the task, whatever it returns.
TFL_CAPI_EXPORT TfLiteStatus
TfLiteAsyncSignatureRunnerPrepareBackends(TfLiteAsyncSignatureRunner* async_signature_runner);
TFL_CAPI_EXPORT TfLiteExecutionTask* TfLiteAsyncSignatureRunnerCreateTask(
    TfLiteAsyncSignatureRunner* async_signature_runner);
TFL_CAPI_EXPORT TfLiteStatus TfLiteAsyncSignatureRunnerInvokeAsync(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteExecutionTask* task);
TFL_CAPI_EXPORT TfLiteStatus TfLiteAsyncSignatureRunnerWait(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteExecutionTask* task);
TFL_CAPI_EXPORT TfLiteStatus TfLiteAsyncSignatureRunnerFinish(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteExecutionTask* task);

// ---- Inputs and outputs. Tensors show type and shape; their data lies in the buffers. NULL for a
// bad position, name or index. Results live as long as the runner.
TFL_CAPI_EXPORT size_t
TfLiteAsyncSignatureRunnerGetInputCount(const TfLiteAsyncSignatureRunner* async_signature_runner);
TFL_CAPI_EXPORT const char* TfLiteAsyncSignatureRunnerGetInputName(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int32_t input_index);
TFL_CAPI_EXPORT size_t
TfLiteAsyncSignatureRunnerGetOutputCount(const TfLiteAsyncSignatureRunner* async_signature_runner);
TFL_CAPI_EXPORT const char* TfLiteAsyncSignatureRunnerGetOutputName(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int32_t output_index);
TFL_CAPI_EXPORT const TfLiteOpaqueTensor* TfLiteAsyncSignatureRunnerGetInputTensor(
    TfLiteAsyncSignatureRunner* async_signature_runner, const char* input_name);
TFL_CAPI_EXPORT const TfLiteOpaqueTensor* TfLiteAsyncSignatureRunnerGetOutputTensor(
    const TfLiteAsyncSignatureRunner* async_signature_runner, const char* output_name);
TFL_CAPI_EXPORT const int* TfLiteAsyncSignatureRunnerInputTensorIndices(
    const TfLiteAsyncSignatureRunner* async_signature_runner);
TFL_CAPI_EXPORT const int* TfLiteAsyncSignatureRunnerOutputTensorIndices(
    const TfLiteAsyncSignatureRunner* async_signature_runner);
TFL_CAPI_EXPORT const TfLiteOpaqueTensor* TfLiteAsyncSignatureRunnerGetTensor(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int index);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_
