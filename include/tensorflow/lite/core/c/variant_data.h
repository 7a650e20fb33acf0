// SPDX-License-Identifier: Apache-2.0
// The C++ part of common.h: a deep copy, and the objects inside variant tensors.
#ifndef TERN_TENSORFLOW_LITE_CORE_C_VARIANT_DATA_H_
#define TERN_TENSORFLOW_LITE_CORE_C_VARIANT_DATA_H_

#include <new>
#include <utility>

#include "tensorflow/lite/core/c/common.h"

// Deep copy; the caller frees it with TfLiteQuantizationFree.
TFL_CAPI_EXPORT TfLiteQuantization TfLiteQuantizationClone(const TfLiteQuantization& src);

// What data points to in a tensor of type kTfLiteVariant.
class VariantData {
 public:
  // A copy of this object: in the raw memory `maybe_alloc` (large enough, no living object), or by
  // new when NULL.
  virtual VariantData* CloneTo(VariantData* maybe_alloc) const = 0;
  virtual ~VariantData() = default;
};

// Gives Derived its CloneTo by its copy constructor.
template <typename Derived>
class AbstractVariantData : public VariantData {
 public:
  VariantData* CloneTo(VariantData* maybe_alloc) const override {
    const Derived& self = static_cast<const Derived&>(*this);
    if (maybe_alloc != nullptr) {
      return new (static_cast<void*>(maybe_alloc)) Derived(self);
    }
    return new Derived(self);
  }

 protected:
  AbstractVariantData() = default;
  AbstractVariantData(const AbstractVariantData&) = default;
  AbstractVariantData& operator=(const AbstractVariantData&) = default;
};

// Puts a new T into a variant tensor and deletes what was there. Error when the tensor is of
// another type.
template <class T, class... Args>
TfLiteStatus TfLiteTensorVariantRealloc(TfLiteTensor* tensor, Args&&... args) {
  if (tensor == nullptr || tensor->type != kTfLiteVariant) {
    return kTfLiteError;
  }
  VariantData* fresh = new T(std::forward<Args>(args)...);
  if (tensor->allocation_type == kTfLiteVariantObject) {
    delete static_cast<VariantData*>(tensor->data.data);
  }
  tensor->data.data = fresh;
  tensor->allocation_type = kTfLiteVariantObject;
  return kTfLiteOk;
}

#endif  // TERN_TENSORFLOW_LITE_CORE_C_VARIANT_DATA_H_
