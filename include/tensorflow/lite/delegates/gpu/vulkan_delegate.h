// SPDX-License-Identifier: Apache-2.0
// The GPU delegate on a Vulkan device of the application: tensors may live in its buffers. An
// extension of this library. Needs the headers of Vulkan. C11 and C++17; field order is part of the
// ABI.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_VULKAN_DELEGATE_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_VULKAN_DELEGATE_H_

#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteVulkanDelegateOptions {
  // The application's objects, which stay its own. They must outlive the delegate and each
  // interpreter that uses it. Instance and device are of Vulkan 1.1 or newer; no feature and no
  // extension of the device is needed.
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;

  // A queue that the device was made with. Its family takes compute work.
  uint32_t queue_family;
  uint32_t queue;

  // Called around each submission to that queue, with `queue_lock_data`, on the thread that calls
  // Invoke. Both NULL: no other thread uses the queue meanwhile.
  void (*lock_queue)(void* data);
  void (*unlock_queue)(void* data);
  void* queue_lock_data;

  // Gives the functions of Vulkan for this instance. NULL: those of libvulkan.
  PFN_vkGetInstanceProcAddr get_function;

  int32_t precision_loss_allowed;  // not 0: tensors inside the graph are kept in half precision
} TfLiteVulkanDelegateOptions;

// All NULL and 0.
TFL_CAPI_EXPORT TfLiteVulkanDelegateOptions TfLiteVulkanDelegateOptionsDefault(void);

// A delegate for one interpreter, on the device of the options. NULL, with a line in the log, for
// an object that is missing, a device older than Vulkan 1.1, and a queue without compute work.
TFL_CAPI_EXPORT TfLiteDelegate* TfLiteVulkanDelegateCreate(
    const TfLiteVulkanDelegateOptions* options);

// Accepts NULL. Interpreters that use the delegate may still be deleted afterwards, but not
// invoked.
TFL_CAPI_EXPORT void TfLiteVulkanDelegateDelete(TfLiteDelegate* delegate);

// Makes a buffer of the application the memory of a tensor, which must turn out to be an input or
// output of the part of the graph that runs on the GPU. To be called before
// ModifyGraphWithDelegate. The buffer stays the application's and must live as long as the
// interpreter. `bytes` is the size that it was made with; its usage has STORAGE_BUFFER,
// TRANSFER_SRC and TRANSFER_DST, its memory is bound, and queues of `queue_family` own it or share
// it. It holds the tensor's 32 bit floats, batch x height x width x channels, row by row without
// gaps; a longer buffer keeps the bytes after them.
//
// Invoke reads and writes the buffer in place. It sees the work that was submitted to the same
// queue before; work on other queues must have finished. When it returns, the outputs are complete.
// The memory of a bound input tensor is ignored. A bound output is copied to the memory of its
// tensor at the end of Invoke; Interpreter::SetAllowBufferHandleOutput(true) leaves that to
// Interpreter::EnsureTensorDataIsReadable.
//
// kTfLiteError, with a line in the log, when the delegate is none of this header, when it was
// applied before, for VK_NULL_HANDLE, and for more bytes than a storage buffer of the device has.
// ModifyGraphWithDelegate reports buffers that are too small and tensors that the GPU does not read
// or write, and returns kTfLiteDelegateError.
TFL_CAPI_EXPORT TfLiteStatus TfLiteVulkanDelegateBindBufferToTensor(TfLiteDelegate* delegate,
                                                                    VkBuffer buffer,
                                                                    VkDeviceSize bytes,
                                                                    int tensor_index);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_VULKAN_DELEGATE_H_
