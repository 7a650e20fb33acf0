// SPDX-License-Identifier: Apache-2.0
// The GPU delegate on Metal, for Apple platforms. In Objective-C buffers are typed; in C and C++
// they are opaque pointers (a `id<MTLBuffer>` bridged to void*). C11, C++17 and Objective-C.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_METAL_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_METAL_DELEGATE_H_

#include <stdbool.h>

#include "tensorflow/lite/core/c/common.h"

#if defined(__OBJC__)
#import <Metal/Metal.h>
typedef id<MTLBuffer> TFLGpuDelegateMetalBuffer;
#else
typedef void* TFLGpuDelegateMetalBuffer;
#endif

#ifdef __cplusplus
extern "C" {
#endif

// How Invoke waits for the GPU.
typedef enum {
  TFLGpuDelegateWaitTypePassive = 0,  // sleeps until the work is done
  TFLGpuDelegateWaitTypeActive = 1,   // spins: less latency, more power
  // Returns at once where all outputs are in bound Metal buffers; otherwise it waits for the
  // others.
  TFLGpuDelegateWaitTypeDoNotWait = 2,
  TFLGpuDelegateWaitTypeAggressive = 3,  // spins and keeps the GPU awake
} TFLGpuDelegateWaitType;

typedef struct {
  bool allow_precision_loss;  // compute in half precision
  TFLGpuDelegateWaitType wait_type;
  bool enable_quantization;  // run quantized models, in floating point
} TFLGpuDelegateOptions;

// false, Passive, true.
TFL_CAPI_EXPORT TFLGpuDelegateOptions TFLGpuDelegateOptionsDefault(void);

// A delegate for one interpreter; NULL options mean the defaults.
TFL_CAPI_EXPORT TfLiteDelegate* TFLGpuDelegateCreate(const TFLGpuDelegateOptions* options);

// Accepts NULL.
TFL_CAPI_EXPORT void TFLGpuDelegateDelete(TfLiteDelegate* delegate);

// Makes a buffer of the application the memory of an input or output of the delegated graph, from
// the next Invoke on and also when shapes change; call it after ModifyGraphWithDelegate. The buffer
// holds FLOAT32 elements, row-major (batch, height, width, channels), at least as many as the
// tensor has, for quantized tensors too. The delegate retains it. False, with a logged line, for a
// delegate of another kind, a tensor that is no input or output of the part on the GPU or that
// nodes on the CPU use as well, and a buffer that is nil, too short or of another device.
TFL_CAPI_EXPORT bool TFLGpuDelegateBindMetalBufferToTensor(TfLiteDelegate* delegate,
                                                           int tensor_index,
                                                           TFLGpuDelegateMetalBuffer metal_buffer);

#ifdef __cplusplus
}  // extern "C"

// For options that are passed as an object.
inline TfLiteDelegate* TFLGpuDelegateCreate(const TFLGpuDelegateOptions& options) {
  return TFLGpuDelegateCreate(&options);
}

#if defined(__APPLE__)
// Names of the first preview.
inline TfLiteDelegate* NewGpuDelegate(const TFLGpuDelegateOptions* options) {
  return TFLGpuDelegateCreate(options);
}
inline void DeleteGpuDelegate(TfLiteDelegate* delegate) { TFLGpuDelegateDelete(delegate); }
#endif
#endif  // __cplusplus

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_METAL_DELEGATE_H_
