// SPDX-License-Identifier: Apache-2.0
// The older GPU delegate, for OpenGL ES alone: tensors may live in shader storage buffers of the
// application. Needs the headers of OpenGL ES. C11 and C++17; field order is part of the ABI.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_GL_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_GL_DELEGATE_H_

#include <GLES3/gl31.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/common.h"
// For NewGpuDelegate and DeleteGpuDelegate.
#include "tensorflow/lite/delegates/gpu/delegate.h"

#ifdef __cplusplus
extern "C" {
#endif

// The kind of object that keeps a tensor inside the graph.
enum TfLiteGlObjectType {
  TFLITE_GL_OBJECT_TYPE_FASTEST = 0,
  TFLITE_GL_OBJECT_TYPE_TEXTURE = 1,  // has no effect: buffers are used
  TFLITE_GL_OBJECT_TYPE_BUFFER = 2,
};

typedef struct {
  int32_t precision_loss_allowed;    // not 0: tensors inside the graph are kept in half precision
  int32_t preferred_gl_object_type;  // TfLiteGlObjectType
  int32_t dynamic_batch_enabled;     // has no effect: batches are always taken
  int32_t inline_parameters;         // has no effect
} TfLiteGlCompileOptions;

// 0, fastest, 0, 0.
TFL_CAPI_EXPORT TfLiteGlCompileOptions TfLiteGlCompileOptionsDefault(void);

typedef struct {
  const uint8_t* metadata;  // has no effect
  TfLiteGlCompileOptions compile_options;
} TfLiteGpuDelegateOptions;

// NULL and the defaults above.
TFL_CAPI_EXPORT TfLiteGpuDelegateOptions TfLiteGpuDelegateOptionsDefault(void);

// A delegate for one interpreter; NULL options mean the defaults. Float models only, one part of
// the graph. TfLiteGpuDelegateV2Create is the newer function, for programs without buffers of
// OpenGL ES.
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteGpuDelegateCreate(const TfLiteGpuDelegateOptions* options);

// Accepts NULL. Interpreters that use the delegate may still be deleted afterwards, but not
// invoked.
TFL_CAPI_EXPORT void TfLiteGpuDelegateDelete(TfLiteDelegate* delegate);

// Makes a buffer of the application the memory of a tensor, which must turn out to be an input or
// output of the part of the graph that runs on the GPU. To be called before
// ModifyGraphWithDelegate, on a thread whose current EGL context, of OpenGL ES 3.1, owns the
// buffer; all bound buffers belong to one share group. The buffer stays the application's. It holds
// the tensor's 32 bit floats, batch x height x width x channels, row by row without gaps; a longer
// buffer keeps what lies after them. It must keep its size until the interpreter is gone.
//
// Invoke reads and writes the buffer in place, in a context of the delegate's own. It sees what the
// current context of the calling thread was asked for before, if that belongs to the share group;
// the work of other threads must have finished. When it returns, the outputs are complete; bind
// the buffer again before reading it, as OpenGL asks for changes by other contexts. The memory of
// a bound input tensor is ignored. A bound output is copied to the memory of its tensor at the end
// of Invoke; Interpreter::SetAllowBufferHandleOutput(true) leaves that to
// Interpreter::EnsureTensorDataIsReadable.
//
// kTfLiteError, with a line in the log, when the delegate is none of this header, when it was
// applied before, without a suitable context, and for unknown buffers. ModifyGraphWithDelegate
// reports buffers that are too small and tensors that the GPU does not read or write, and returns
// kTfLiteDelegateError.
TFL_CAPI_EXPORT TfLiteStatus TfLiteGpuDelegateBindBufferToTensor(TfLiteDelegate* delegate,
                                                                 GLuint buffer, int tensor_index);

// The metadata of a model (a `const tflite::Model*`), inside it; NULL for models without.
TFL_CAPI_EXPORT const uint8_t* TfLiteGpuDelegateGetModelMetadata(const void* tflite_model);

#ifdef __cplusplus
}  // extern "C"

// For options that are passed as an object.
inline TfLiteDelegate* TfLiteGpuDelegateCreate(const TfLiteGpuDelegateOptions& options) {
  return TfLiteGpuDelegateCreate(&options);
}
#endif  // __cplusplus

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_GL_DELEGATE_H_
