// SPDX-License-Identifier: Apache-2.0
// The functions that a library exports to be a delegate that is loaded at run time. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_

#include <stddef.h>

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes a delegate from pairs of texts; NULL on failure, after one call of report_error, which may
// be NULL.
TFL_CAPI_EXPORT TfLiteDelegate* tflite_plugin_create_delegate(const char* const* options_keys,
                                                              const char* const* options_values,
                                                              size_t num_options,
                                                              void (*report_error)(const char*));

// Must accept NULL.
TFL_CAPI_EXPORT void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_
