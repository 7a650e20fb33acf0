// SPDX-License-Identifier: Apache-2.0
//
// A variable of a model: a tensor that outlives invocations, known by a number.
#ifndef TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_RESOURCE_VARIABLE_H_
#define TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_RESOURCE_VARIABLE_H_

#include <stddef.h>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/experimental/resource/resource_base.h"

namespace tflite {
namespace resource {

class ResourceVariable : public ResourceBase {
 public:
  ResourceVariable();
  ResourceVariable(ResourceVariable&& other);
  ~ResourceVariable() override;

  // Copies type, shape, quantization and values. kTfLiteError where `tensor` has no data or there
  // is no memory: the variable then keeps what it had.
  TfLiteStatus AssignFrom(const TfLiteTensor* tensor);

  // The value, which stays the variable's; null before the first AssignFrom.
  TfLiteTensor* GetTensor() { return is_initialized_ ? &tensor_ : nullptr; }
  ResourceType GetResourceType() const override { return ResourceType::kResourceVariable; }
  bool IsInitialized() override { return is_initialized_; }
  size_t GetMemoryUsage() override { return is_initialized_ ? tensor_.bytes : 0; }

 private:
  TfLiteTensor tensor_;
  bool is_initialized_ = false;
};

// Makes the variable `resource_id` where the map has none. kTfLiteError where there is no map or
// the number belongs to a resource of another kind.
TfLiteStatus CreateResourceVariableIfNotAvailable(ResourceMap* resources, int resource_id);

// The variable `resource_id`; null where there is none, or where the number belongs to a resource
// of another kind.
ResourceVariable* GetResourceVariable(ResourceMap* resources, int resource_id);

// Whether the tensor is a handle to a resource of the runtime itself.
bool IsBuiltinResource(const TfLiteTensor* tensor);

}  // namespace resource
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_EXPERIMENTAL_RESOURCE_RESOURCE_VARIABLE_H_
