// SPDX-License-Identifier: Apache-2.0
// Variables keep a tensor of their own in dynamic memory.
#include "tensorflow/lite/experimental/resource/resource_variable.h"

#include <cstring>
#include <utility>

namespace tflite {
namespace resource {

ResourceVariable::ResourceVariable() : tensor_() { tensor_.allocation_type = kTfLiteDynamic; }

ResourceVariable::ResourceVariable(ResourceVariable&& other)
    : tensor_(std::exchange(other.tensor_, TfLiteTensor())),
      is_initialized_(std::exchange(other.is_initialized_, false)) {
  other.tensor_.allocation_type = kTfLiteDynamic;
}

ResourceVariable::~ResourceVariable() { TfLiteTensorFree(&tensor_); }

TfLiteStatus ResourceVariable::AssignFrom(const TfLiteTensor* tensor) {
  if (tensor == nullptr || tensor->dims == nullptr) return kTfLiteError;
  if (tensor == &tensor_) return kTfLiteOk;
  if (tensor->bytes > 0 && tensor->data.raw_const == nullptr) return kTfLiteError;
  TfLiteIntArray* dims = TfLiteIntArrayCopy(tensor->dims);
  if (dims == nullptr) return kTfLiteError;
  if (tensor_.bytes != tensor->bytes || tensor_.data.raw == nullptr) {
    if (TfLiteTensorRealloc(tensor->bytes, &tensor_) != kTfLiteOk) {
      TfLiteIntArrayFree(dims);
      return kTfLiteError;
    }
    tensor_.bytes = tensor->bytes;
  }
  if (tensor->bytes > 0) std::memcpy(tensor_.data.raw, tensor->data.raw_const, tensor->bytes);
  TfLiteIntArrayFree(tensor_.dims);
  tensor_.dims = dims;
  tensor_.type = tensor->type;
  tensor_.name = "ResourceVariable";
  tensor_.params = tensor->params;
  tensor_.is_variable = true;
  is_initialized_ = true;
  return kTfLiteOk;
}

TfLiteStatus CreateResourceVariableIfNotAvailable(ResourceMap* resources, int resource_id) {
  if (resources == nullptr) return kTfLiteError;
  if (resources->count(resource_id) == 0) {
    resources->emplace(resource_id, std::make_unique<ResourceVariable>());
  }
  return GetResourceVariable(resources, resource_id) != nullptr ? kTfLiteOk : kTfLiteError;
}

ResourceVariable* GetResourceVariable(ResourceMap* resources, int resource_id) {
  if (resources == nullptr) return nullptr;
  const auto found = resources->find(resource_id);
  return found == resources->end() ? nullptr : dynamic_cast<ResourceVariable*>(found->second.get());
}

bool IsBuiltinResource(const TfLiteTensor* tensor) {
  return tensor != nullptr && tensor->type == kTfLiteResource && tensor->delegate == nullptr;
}

}  // namespace resource
}  // namespace tflite
