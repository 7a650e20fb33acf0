// SPDX-License-Identifier: Apache-2.0
// Delegates in libraries that are loaded at run time. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_H_

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define kExternalDelegateMaxOptions 256

// The texts are not copied; they must stay valid until the delegate is made.
typedef struct TfLiteExternalDelegateOptions {
  const char* lib_path;
  int count;
  const char* keys[kExternalDelegateMaxOptions];
  const char* values[kExternalDelegateMaxOptions];
  // TfLiteExternalDelegateOptionsInsert.
  TfLiteStatus (*insert)(struct TfLiteExternalDelegateOptions* options, const char* key,
                         const char* value);
} TfLiteExternalDelegateOptions;

// Error when there is no room.
TFL_CAPI_EXPORT TfLiteStatus TfLiteExternalDelegateOptionsInsert(
    TfLiteExternalDelegateOptions* options, const char* key, const char* value);

// No options yet.
TFL_CAPI_EXPORT TfLiteExternalDelegateOptions
TfLiteExternalDelegateOptionsDefault(const char* lib_path);

// Loads the library and makes its delegate; NULL, with a log, when either fails. The library stays
// loaded.
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteExternalDelegateCreate(
    const TfLiteExternalDelegateOptions* options);

// Accepts NULL.
TFL_CAPI_EXPORT void TfLiteExternalDelegateDelete(TfLiteDelegate* delegate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_H_
