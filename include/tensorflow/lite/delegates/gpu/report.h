// SPDX-License-Identifier: Apache-2.0
// The decisions of the GPU delegate as a text. An extension of this library. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_REPORT_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_REPORT_H_

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// JSON text describing what the delegate decided for the graphs it was applied to: the backend
// ("engine") and why it is that one ("choice"), nodes that run on the GPU, and those that do not
// with a reason. Owned by the delegate, valid until the next call or its deletion; NULL for a
// foreign delegate.
TFL_CAPI_EXPORT const char* TfLiteGpuDelegateV2Report(TfLiteDelegate* delegate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_REPORT_H_
