// SPDX-License-Identifier: Apache-2.0
// Handles of resources: tensors of one INT32 number, by which all graphs of an interpreter find
// what outlives a run.
#ifndef TERN_OPS_CPU_KIT_RESOURCE_HANDLE_H_
#define TERN_OPS_CPU_KIT_RESOURCE_HANDLE_H_

#include "ops/cpu_kit/op_kit.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tern {

inline tflite::resource::ResourceMap& ResourcesOf(const OpCall& call) {
  return static_cast<tflite::Subgraph*>(call.context()->impl_)->resources();
}

// Makes `handle`, of type RESOURCE or INT32, a tensor of its own memory that holds `number`.
inline Status MakeHandle(const OpCall& call, TfLiteTensor* handle, int32_t number) {
  MakeDynamic(handle);
  if (handle->type == kTfLiteResource) {
    if (TfLiteTensorRealloc(sizeof(int32_t), handle) != kTfLiteOk) {
      return TooLarge("no memory for a handle");
    }
    handle->bytes = sizeof(int32_t);
  } else {
    // The runtime, which frees it, also gives it, maybe from an application's allocator.
    const Shape shape = Elements(handle) == 1 ? ShapeOf(handle) : Shape{1};
    TERN_RETURN_IF_ERROR(call.SetShape(handle, shape));
  }
  *MutableData<int32_t>(handle) = number;
  return OkStatus();
}

inline StatusOr<int32_t> ReadHandle(const TfLiteTensor* handle) {
  if (handle->data.raw == nullptr || handle->bytes < sizeof(int32_t)) {
    return Invalid("the handle has no value");
  }
  return *Data<int32_t>(handle);
}

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_RESOURCE_HANDLE_H_
