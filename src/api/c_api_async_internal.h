// SPDX-License-Identifier: Apache-2.0
// What the handles of the asynchronous C API hold.
#ifndef TERN_API_C_API_ASYNC_INTERNAL_H_
#define TERN_API_C_API_ASYNC_INTERNAL_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "tensorflow/lite/core/async/c/async_kernel.h"
#include "tensorflow/lite/core/async/c/task.h"

struct TfLiteBackendBuffer {
  void* ptr = nullptr;
};

struct TfLiteSynchronization {
  void* ptr = nullptr;
};

struct TfLiteAttributeMap {
  using Value = std::variant<int, size_t, const char*, bool>;
  TfLiteAttrMapType type = kTfLiteAttrMapTypeUnknown;
  std::map<uint32_t, Value> by_number;
  std::map<std::string, Value> by_name;
};

struct TfLiteAsyncKernel {
  void* kernel_data = nullptr;
  TfLiteStatus (*register_buffer)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteIoType,
                                  const TfLiteBackendBuffer*, const TfLiteAttributeMap*,
                                  TfLiteBufferHandle) = nullptr;
  TfLiteStatus (*register_buffer_slice)(TfLiteAsyncKernel*, TfLiteOpaqueContext*,
                                        TfLiteBufferHandle, const TfLiteAttributeMap*,
                                        TfLiteBufferHandle) = nullptr;
  TfLiteStatus (*unregister_buffer)(TfLiteAsyncKernel*, TfLiteOpaqueContext*,
                                    TfLiteBufferHandle) = nullptr;
  void (*supported_buffer_types)(const TfLiteAsyncKernel*, TfLiteIoType, const char* const**,
                                 size_t*) = nullptr;
  void (*supported_synchronizations)(const TfLiteAsyncKernel*, TfLiteIoType, const char* const**,
                                     size_t*) = nullptr;
  bool (*reconcile_restrictions)(const TfLiteAsyncKernel*, const TfLiteOpaqueContext*,
                                 const TfLiteOpaqueNode*, int, const TfLiteAttributeMap*,
                                 TfLiteAttributeMap*, TfLiteAttributeMap*) = nullptr;
  TfLiteStatus (*set_attributes)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteOpaqueNode*, int,
                                 const TfLiteAttributeMap*) = nullptr;
  TfLiteStatus (*set_buffer_attributes)(TfLiteAsyncKernel*, const TfLiteBackendBuffer*,
                                        const TfLiteAttributeMap*) = nullptr;
  TfLiteStatus (*get_buffer_attributes)(TfLiteAsyncKernel*, const TfLiteBackendBuffer*,
                                        TfLiteAttributeMap*) = nullptr;
  TfLiteStatus (*prepare)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteOpaqueNode*) = nullptr;
  TfLiteStatus (*eval)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteOpaqueNode*,
                       TfLiteExecutionTask*) = nullptr;
  TfLiteStatus (*wait)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteExecutionTask*) = nullptr;
  TfLiteStatus (*finish)(TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteExecutionTask*) = nullptr;
};

namespace tern::c_api {

// Tensor indices by the names of a signature.
struct SignatureTensors {
  std::map<std::string, int> inputs;
  std::map<std::string, int> outputs;

  // -1 for an unknown or null name, or another type.
  int IndexOf(TfLiteIoType io_type, const char* name) const;
};

}  // namespace tern::c_api

struct TfLiteExecutionTask {
  struct Place {
    TfLiteBufferHandle buffer = kTfLiteNullBufferHandle;
    TfLiteSynchronization* sync = nullptr;
  };
  tern::c_api::SignatureTensors names;
  std::map<int, Place> places;  // by tensor index
  void* execution_data = nullptr;
  std::atomic<bool> scheduled = false;
  std::atomic<TfLiteStatus> status = kTfLiteOk;
};

#endif  // TERN_API_C_API_ASYNC_INTERNAL_H_
