// SPDX-License-Identifier: Apache-2.0
// The GPU delegate. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_H_

#include <stddef.h>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/delegates/gpu/delegate_options.h"
#if defined(__APPLE__)
#include "tensorflow/lite/delegates/gpu/metal_delegate.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

// A delegate for any number of interpreters; NULL options mean the defaults. The options are
// copied. Nothing is compiled before the delegate is applied to a graph.
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteGpuDelegateV2Create(
    const TfLiteGpuDelegateOptionsV2* options);

// A delegate with an asynchronous kernel over hardware buffers of Android, which nobody has yet:
// NULL, with a log line that says so.
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteGpuDelegateV2CreateAsync(
    const TfLiteGpuDelegateOptionsV2* options);

// Accepts NULL. Interpreters that use the delegate may still be deleted afterwards, but not
// invoked.
TFL_CAPI_EXPORT void TfLiteGpuDelegateV2Delete(TfLiteDelegate* delegate);

// The same delegate by text options (see external_delegate.h): the field names above, numbers in
// decimal. NULL, with a report, for an unknown key or a malformed number. `report_error` may be
// NULL.
TFL_CAPI_EXPORT TfLiteDelegate* tflite_plugin_create_delegate(const char* const* options_keys,
                                                              const char* const* options_values,
                                                              size_t num_options,
                                                              void (*report_error)(const char*));
TFL_CAPI_EXPORT void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate);

#ifdef __cplusplus
}  // extern "C"

// For options that are passed as an object.
inline TfLiteDelegate* TfLiteGpuDelegateV2Create(const TfLiteGpuDelegateOptionsV2& options) {
  return TfLiteGpuDelegateV2Create(&options);
}

#if !defined(__APPLE__)
// Names of the first preview; metal_delegate.h has them for Apple platforms.
inline TfLiteDelegate* NewGpuDelegate(const TfLiteGpuDelegateOptionsV2* options) {
  return TfLiteGpuDelegateV2Create(options);
}
inline void DeleteGpuDelegate(TfLiteDelegate* delegate) { TfLiteGpuDelegateV2Delete(delegate); }
#endif
#endif  // __cplusplus

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_H_
