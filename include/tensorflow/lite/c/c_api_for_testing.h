// SPDX-License-Identifier: Apache-2.0
// Questions of tests about objects of the C API. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_C_C_API_FOR_TESTING_H_
#define TERN_TENSORFLOW_LITE_C_C_API_FOR_TESTING_H_

#include "tensorflow/lite/core/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns the number that TfLiteInterpreterOptionsSetNumThreads set; -1 at first, and for NULL.
TFL_CAPI_EXPORT int32_t TfLiteInterpreterOptionsGetNumThreads(TfLiteInterpreterOptions* options);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_C_C_API_FOR_TESTING_H_
