// SPDX-License-Identifier: Apache-2.0
// The GPU delegate by names from between gl_delegate.h and delegate.h. With an EGL context it is
// the delegate of gl_delegate.h, else that of delegate.h. Needs the headers of EGL and OpenGL ES.
// C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_CL_GPU_API_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_CL_GPU_API_DELEGATE_H_

#include <EGL/egl.h>
#include <GLES3/gl31.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/gl_delegate.h"

typedef struct {
  int32_t precision_loss_allowed;  // not 0: tensors inside the graph are kept in half precision
  int32_t inference_priority;      // TfLiteGpuInferencePriority
} TfLiteGpuCompileOptions_New;

typedef struct {
  TfLiteGpuCompileOptions_New compile_options;
  // Both set, or both 0 (EGL_NO_DISPLAY, EGL_NO_CONTEXT). Buffers are bound on a thread where this
  // context is current.
  EGLDisplay egl_display;
  EGLContext egl_context;
  const uint8_t* serialized_binary_cache_data;  // has no effect: delegate.h has serialization_dir
  size_t serialized_binary_cache_size;
} TfLiteGpuDelegateOptions_New;

typedef enum {
  TFLITE_GPU_DATA_LAYOUT_BHWC = 0,
  TFLITE_GPU_DATA_LAYOUT_DHWC4 = 1,
} TfLiteGpuDataLayout;

// NULL options mean full precision and no context.
static inline TfLiteDelegate* TfLiteGpuDelegateCreate_New(
    const TfLiteGpuDelegateOptions_New* options) {
  if (options != NULL && options->egl_context != EGL_NO_CONTEXT) {
    TfLiteGpuDelegateOptions gl = TfLiteGpuDelegateOptionsDefault();
    gl.compile_options.precision_loss_allowed = options->compile_options.precision_loss_allowed;
    return TfLiteGpuDelegateCreate(&gl);
  }
  TfLiteGpuDelegateOptionsV2 v2 = TfLiteGpuDelegateOptionsV2Default();
  if (options != NULL) {
    v2.is_precision_loss_allowed = options->compile_options.precision_loss_allowed;
    v2.inference_priority1 = options->compile_options.inference_priority;
  }
  return TfLiteGpuDelegateV2Create(&v2);
}

// Accepts NULL.
static inline void TfLiteGpuDelegateDelete_New(TfLiteDelegate* delegate) {
  TfLiteGpuDelegateV2Delete(delegate);
}

// As TfLiteGpuDelegateBindBufferToTensor of a delegate with an EGL context. kTfLiteError for other
// than 32 bit floats in BHWC.
static inline TfLiteStatus TfLiteGpuDelegateBindGlBufferToTensor(TfLiteDelegate* delegate,
                                                                 GLuint buffer_id, int tensor_index,
                                                                 TfLiteType data_type,
                                                                 TfLiteGpuDataLayout data_layout) {
  if (data_type != kTfLiteFloat32 || data_layout != TFLITE_GPU_DATA_LAYOUT_BHWC) {
    return kTfLiteError;
  }
  return TfLiteGpuDelegateBindBufferToTensor(delegate, buffer_id, tensor_index);
}

// False: programs are kept in a directory (serialization_dir in delegate.h), not handed out.
static inline bool TfLiteGpuDelegateGetSerializedBinaryCache(TfLiteDelegate* delegate, size_t* size,
                                                             const uint8_t** data) {
  (void)delegate;
  *size = 0;
  *data = NULL;
  return false;
}

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_CL_GPU_API_DELEGATE_H_
