// SPDX-License-Identifier: Apache-2.0
// The NNAPI delegate of Android, for programs that may use it: here it cannot be had, and they go
// on without. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_NNAPI_NNAPI_DELEGATE_C_API_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_NNAPI_NNAPI_DELEGATE_C_API_H_

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteNnapiDelegateOptions {
  enum ExecutionPreference {
    kUndefined = -1,
    kLowPower = 0,
    kFastSingleAnswer = 1,
    kSustainedSpeed = 2,
  } execution_preference;
  const char* accelerator_name;         // NULL: any
  const char* cache_dir;                // NULL: nothing is cached
  const char* model_token;              // NULL: nothing is cached
  int disallow_nnapi_cpu;               // 1: only accelerators
  int allow_fp16;                       // 1: FLOAT32 may be computed in halves
  int max_number_delegated_partitions;  // 0 or less: no limit
  void* nnapi_support_library_handle;
} TfLiteNnapiDelegateOptions;

// Undefined preference, no names, no NNAPI CPU, full precision, three partitions.
TFL_CAPI_EXPORT TfLiteNnapiDelegateOptions TfLiteNnapiDelegateOptionsDefault(void);

// NULL, with a log line that names the platform.
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteNnapiDelegateCreate(
    const TfLiteNnapiDelegateOptions* options);

// Accepts NULL.
TFL_CAPI_EXPORT void TfLiteNnapiDelegateDelete(TfLiteDelegate* delegate);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_NNAPI_NNAPI_DELEGATE_C_API_H_
