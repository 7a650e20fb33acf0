// SPDX-License-Identifier: Apache-2.0
// The asynchronous kernel of a delegate as a class (see core/async/c/async_kernel.h).
#ifndef TERN_TENSORFLOW_LITE_ASYNC_BACKEND_ASYNC_KERNEL_INTERFACE_H_
#define TERN_TENSORFLOW_LITE_ASYNC_BACKEND_ASYNC_KERNEL_INTERFACE_H_

#include <vector>

#include "tensorflow/lite/core/async/c/async_kernel.h"
#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/async/interop/c/attribute_map.h"
#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite::delegates {

// Functions may be called from several threads. Pointers are valid during the call; names of types
// live as long as the object.
class BackendAsyncKernelInterface {
 public:
  BackendAsyncKernelInterface();
  virtual ~BackendAsyncKernelInterface();
  BackendAsyncKernelInterface(const BackendAsyncKernelInterface&) = delete;
  BackendAsyncKernelInterface& operator=(const BackendAsyncKernelInterface&) = delete;

  // Returns the kernel that the delegate gives to the runtime; owned by this object, whose
  // functions it calls.
  virtual TfLiteAsyncKernel* kernel() { return kernel_; }

  virtual TfLiteStatus RegisterBuffer(TfLiteOpaqueContext* context, TfLiteIoType io_type,
                                      const TfLiteBackendBuffer* buffer,
                                      const TfLiteAttributeMap* attrs,
                                      TfLiteBufferHandle handle) = 0;
  virtual TfLiteStatus RegisterBufferSlice(TfLiteOpaqueContext* context,
                                           TfLiteBufferHandle buffer_pool,
                                           const TfLiteAttributeMap* attrs,
                                           TfLiteBufferHandle handle) = 0;
  virtual TfLiteStatus UnregisterBuffer(TfLiteOpaqueContext* context,
                                        TfLiteBufferHandle handle) = 0;

  virtual const std::vector<const char*>& SupportedBufferTypes(TfLiteIoType io_type) const = 0;
  virtual const std::vector<const char*>& SupportedSynchronizations(TfLiteIoType io_type) const = 0;

  virtual bool ReconcileRestrictions(const TfLiteOpaqueContext* context,
                                     const TfLiteOpaqueNode* node, int tensor_index,
                                     const TfLiteAttributeMap* user_provided_attributes,
                                     TfLiteAttributeMap* merged,
                                     TfLiteAttributeMap* conflict) const = 0;
  virtual TfLiteStatus SetAttributes(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                     int tensor_index, const TfLiteAttributeMap* attrs) = 0;
  virtual TfLiteStatus SetBufferAttributes(const TfLiteBackendBuffer* buffer,
                                           const TfLiteAttributeMap* attrs) = 0;
  virtual TfLiteStatus GetBufferAttributes(const TfLiteBackendBuffer* buffer,
                                           TfLiteAttributeMap* attrs) = 0;

  virtual TfLiteStatus Prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) = 0;
  virtual TfLiteStatus Eval(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                            TfLiteExecutionTask* task) = 0;
  virtual TfLiteStatus Wait(TfLiteOpaqueContext* context, TfLiteExecutionTask* task) = 0;
  virtual TfLiteStatus Finish(TfLiteOpaqueContext* context, TfLiteExecutionTask* task) = 0;

 protected:
  TfLiteAsyncKernel* kernel_;
};

}  // namespace tflite::delegates

#endif  // TERN_TENSORFLOW_LITE_ASYNC_BACKEND_ASYNC_KERNEL_INTERFACE_H_
