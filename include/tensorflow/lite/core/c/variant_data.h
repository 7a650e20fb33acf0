// SPDX-License-Identifier: Apache-2.0
// The C++ part of common.h: a deep copy, and the objects inside variant tensors.
#ifndef TERN_TENSORFLOW_LITE_CORE_C_VARIANT_DATA_H_
#define TERN_TENSORFLOW_LITE_CORE_C_VARIANT_DATA_H_

#include <atomic>
#include <cstring>
#include <new>
#include <utility>

#include "tensorflow/lite/core/c/common.h"

// Deep copy; the caller frees it with TfLiteQuantizationFree.
TFL_CAPI_EXPORT TfLiteQuantization TfLiteQuantizationClone(const TfLiteQuantization& src);

// The object to which `data` points in a tensor of type kTfLiteVariant.
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

namespace tern {

// The functions that an object begins with tell its class; programs may be compiled without type
// information.
inline const void* FunctionsOf(const VariantData& object) {
  static_assert(sizeof(VariantData) == sizeof(void*));
  const void* functions = nullptr;
  std::memcpy(&functions, static_cast<const void*>(&object), sizeof(functions));
  return functions;
}

// The functions of class T, once an object of it has been made.
template <class T>
inline std::atomic<const void*> functions_of_class{nullptr};

}  // namespace tern

// Puts a new T into a variant tensor in the place of what was there: an object of the same class
// is destroyed first and replaced at its address. Error when the tensor is of another type.
template <class T, class... Args>
TfLiteStatus TfLiteTensorVariantRealloc(TfLiteTensor* tensor, Args&&... args) {
  if (tensor == nullptr || tensor->type != kTfLiteVariant) {
    return kTfLiteError;
  }
  const bool holds_object = tensor->allocation_type == kTfLiteVariantObject;
  auto* old = holds_object ? static_cast<VariantData*>(tensor->data.data) : nullptr;
  if (old != nullptr && tern::FunctionsOf(*old) == tern::functions_of_class<T>.load()) {
    T* place = static_cast<T*>(old);
    place->~T();
    VariantData* fresh = new (static_cast<void*>(place)) T(std::forward<Args>(args)...);
    tensor->data.data = fresh;
    return kTfLiteOk;
  }
  VariantData* fresh = new T(std::forward<Args>(args)...);
  tern::functions_of_class<T>.store(tern::FunctionsOf(*fresh));
  delete old;
  tensor->data.data = fresh;
  tensor->allocation_type = kTfLiteVariantObject;
  return kTfLiteOk;
}

#endif  // TERN_TENSORFLOW_LITE_CORE_C_VARIANT_DATA_H_
