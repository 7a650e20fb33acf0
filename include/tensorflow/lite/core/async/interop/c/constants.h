// SPDX-License-Identifier: Apache-2.0
// Names of synchronization types. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_CONSTANTS_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_CONSTANTS_H_

#include "tensorflow/lite/core/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// "no_sync_obj": inputs are complete before TfLiteAsyncSignatureRunnerInvokeAsync, outputs after
// TfLiteAsyncSignatureRunnerWait. Tensors without another type have this one.
TFL_CAPI_EXPORT extern const char kTfLiteSyncTypeNoSyncObj[];

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_INTEROP_C_CONSTANTS_H_
