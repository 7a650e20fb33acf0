// SPDX-License-Identifier: Apache-2.0
// Owning pointers to the C arrays and ways to build them.
#ifndef TERN_TENSORFLOW_LITE_ARRAY_H_
#define TERN_TENSORFLOW_LITE_ARRAY_H_

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

struct TfLiteArrayDeleter {
  void operator()(TfLiteIntArray* a) const { TfLiteIntArrayFree(a); }
  void operator()(TfLiteFloatArray* a) const { TfLiteFloatArrayFree(a); }
};

namespace array_internal {

template <class T>
struct ArrayOf;

template <>
struct ArrayOf<int> {
  using Type = TfLiteIntArray;
  static Type* Create(int size) { return TfLiteIntArrayCreate(size); }
};

template <>
struct ArrayOf<float> {
  using Type = TfLiteFloatArray;
  static Type* Create(int size) { return TfLiteFloatArrayCreate(size); }
};

}  // namespace array_internal

// T is int or float.
template <class T>
using TfLiteArrayUniquePtr =
    std::unique_ptr<typename array_internal::ArrayOf<T>::Type, TfLiteArrayDeleter>;

using IntArrayUniquePtr = TfLiteArrayUniquePtr<int>;
using FloatArrayUniquePtr = TfLiteArrayUniquePtr<float>;

// `size` uninitialised entries; null when size < 0 or memory runs out.
template <class T>
TfLiteArrayUniquePtr<T> BuildTfLiteArray(int size) {
  return TfLiteArrayUniquePtr<T>(array_internal::ArrayOf<T>::Create(size));
}

// `size` entries of one value.
template <class T>
TfLiteArrayUniquePtr<T> BuildTfLiteArray(int size, T value) {
  TfLiteArrayUniquePtr<T> array = BuildTfLiteArray<T>(size);
  if (array != nullptr) {
    std::fill_n(array->data, size, value);
  }
  return array;
}

// Copies of plain data, lists, vectors and C arrays.
template <class T>
TfLiteArrayUniquePtr<std::remove_cv_t<T>> BuildTfLiteArray(int size, T* data) {
  auto array = BuildTfLiteArray<std::remove_cv_t<T>>(size);
  if (array != nullptr && size > 0) {
    std::copy_n(data, size, array->data);
  }
  return array;
}

template <class T>
TfLiteArrayUniquePtr<T> BuildTfLiteArray(std::initializer_list<T> values) {
  return BuildTfLiteArray(static_cast<int>(values.size()), values.begin());
}

template <class T>
TfLiteArrayUniquePtr<T> BuildTfLiteArray(const std::vector<T>& values) {
  return BuildTfLiteArray(static_cast<int>(values.size()), values.data());
}

inline IntArrayUniquePtr BuildTfLiteArray(const TfLiteIntArray& other) {
  return IntArrayUniquePtr(TfLiteIntArrayCopy(&other));
}

inline FloatArrayUniquePtr BuildTfLiteArray(const TfLiteFloatArray& other) {
  return FloatArrayUniquePtr(TfLiteFloatArrayCopy(&other));
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_ARRAY_H_
