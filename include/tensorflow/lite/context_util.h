// SPDX-License-Identifier: Apache-2.0
// Read-only view of a C int array, for range-based loops.
#ifndef TERN_TENSORFLOW_LITE_CONTEXT_UTIL_H_
#define TERN_TENSORFLOW_LITE_CONTEXT_UTIL_H_

#include <cstddef>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

// The array must outlive the view; NULL is an empty view.
class TfLiteIntArrayView {
 public:
  explicit TfLiteIntArrayView(const TfLiteIntArray* array)
      : data_(array != nullptr ? array->data : nullptr),
        size_(array != nullptr ? static_cast<size_t>(array->size) : 0) {}

  typedef const int* const_iterator;
  const_iterator begin() const { return data_; }
  const_iterator end() const { return data_ + size_; }
  size_t size() const { return size_; }
  int operator[](size_t pos) const { return data_[pos]; }

 private:
  const int* data_;
  size_t size_;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CONTEXT_UTIL_H_
