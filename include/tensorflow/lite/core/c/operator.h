// SPDX-License-Identifier: Apache-2.0
// Operations described by functions on opaque objects, so that their code depends on no layout. C11
// and C++17.
#ifndef TERN_TENSORFLOW_LITE_CORE_C_OPERATOR_H_
#define TERN_TENSORFLOW_LITE_CORE_C_OPERATOR_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// A new operation without functions; the caller deletes it, not before the interpreters that use
// it. `custom_name` is copied and may be NULL for built-in codes. `user_data` goes to the callbacks
// of the WithData setters.
TFL_CAPI_EXPORT TfLiteOperator* TfLiteOperatorCreate(TfLiteBuiltinOperator builtin_code,
                                                     const char* custom_name, int version,
                                                     void* user_data);
// Accepts NULL.
TFL_CAPI_EXPORT void TfLiteOperatorDelete(TfLiteOperator* registration);

// kTfLiteBuiltinPlaceholderForGreaterOpCodes, which no operation has, for NULL.
TFL_CAPI_EXPORT TfLiteBuiltinOperator
TfLiteOperatorGetBuiltInCode(const TfLiteOperator* registration);
// The pointer that was given to TfLiteOperatorCreate; NULL when there is no name, or for NULL.
TFL_CAPI_EXPORT const char* TfLiteOperatorGetCustomName(const TfLiteOperator* registration);
// -1 for NULL.
TFL_CAPI_EXPORT int TfLiteOperatorGetVersion(const TfLiteOperator* registration);
TFL_CAPI_EXPORT void* TfLiteOperatorGetUserData(const TfLiteOperator* registration);

// The functions of TfLiteRegistration. A callback with user data goes before the plain one. Error,
// or nothing happens, for a NULL operation.
TFL_CAPI_EXPORT void TfLiteOperatorSetInit(TfLiteOperator* registration,
                                           void* (*init)(TfLiteOpaqueContext* context,
                                                         const char* buffer, size_t length));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetInitWithData(
    TfLiteOperator* registration, void* (*init)(void* user_data, TfLiteOpaqueContext* context,
                                                const char* buffer, size_t length));
TFL_CAPI_EXPORT void TfLiteOperatorSetFree(TfLiteOperator* registration,
                                           void (*free)(TfLiteOpaqueContext* context, void* data));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetFreeWithData(
    TfLiteOperator* registration,
    void (*free)(void* user_data, TfLiteOpaqueContext* context, void* data));
TFL_CAPI_EXPORT void TfLiteOperatorSetPrepare(TfLiteOperator* registration,
                                              TfLiteStatus (*prepare)(TfLiteOpaqueContext* context,
                                                                      TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetPrepareWithData(
    TfLiteOperator* registration,
    TfLiteStatus (*prepare)(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT void TfLiteOperatorSetInvoke(TfLiteOperator* registration,
                                             TfLiteStatus (*invoke)(TfLiteOpaqueContext* context,
                                                                    TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetInvokeWithData(
    TfLiteOperator* registration,
    TfLiteStatus (*invoke)(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));

// Of a delegate's kernel: the asynchronous form of a node (core/async/c/async_kernel.h), or NULL.
TFL_CAPI_EXPORT void TfLiteOperatorSetAsyncKernel(
    TfLiteOperator* registration,
    TfLiteAsyncKernel* (*async_kernel)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));
TFL_CAPI_EXPORT TfLiteStatus TfLiteOperatorSetAsyncKernelWithData(
    TfLiteOperator* registration,
    TfLiteAsyncKernel* (*async_kernel)(void* user_data, TfLiteOpaqueContext* context,
                                       TfLiteOpaqueNode* node));

// Bits of TfLiteInPlaceOp.
TFL_CAPI_EXPORT void TfLiteOperatorSetInplaceOperator(TfLiteOperator* registration,
                                                      uint64_t inplace_operator);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_C_OPERATOR_H_
