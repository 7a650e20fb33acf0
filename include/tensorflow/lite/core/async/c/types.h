// SPDX-License-Identifier: Apache-2.0
// The vocabulary of asynchronous runs. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_C_TYPES_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_C_TYPES_H_

#ifdef __cplusplus
extern "C" {
#endif

// The functions of a delegate's kernel that runs asynchronously (async_kernel.h).
typedef struct TfLiteAsyncKernel TfLiteAsyncKernel;

// One run: which buffer and which synchronization belong to which tensor (task.h).
typedef struct TfLiteExecutionTask TfLiteExecutionTask;

// Whether a name or a buffer belongs to the inputs or the outputs of a signature.
typedef enum TfLiteIoType {
  kTfLiteIoTypeUnknown = 0,
  kTfLiteIoTypeInput = 1,
  kTfLiteIoTypeOutput = 2,
} TfLiteIoType;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_C_TYPES_H_
