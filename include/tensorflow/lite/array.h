// SPDX-License-Identifier: Apache-2.0
// Owning pointers to the C arrays and ways to build them.
#ifndef TERN_TENSORFLOW_LITE_ARRAY_H_
#define TERN_TENSORFLOW_LITE_ARRAY_H_

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
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

// The element type that the caller gave, or else the source's.
template <class T, class Source>
using Chosen = std::conditional_t<std::is_void_v<T>, Source, T>;

}  // namespace array_internal

// T is int or float.
template <class T>
using TfLiteArrayUniquePtr =
    std::unique_ptr<typename array_internal::ArrayOf<T>::Type, TfLiteArrayDeleter>;

using IntArrayUniquePtr = TfLiteArrayUniquePtr<int>;
using FloatArrayUniquePtr = TfLiteArrayUniquePtr<float>;

// `size` uninitialised entries; null when size < 0 or memory runs out.
template <class T = int>
TfLiteArrayUniquePtr<T> BuildTfLiteArray(int size) {
  return TfLiteArrayUniquePtr<T>(array_internal::ArrayOf<T>::Create(size));
}

// `size` entries of one value.
template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
TfLiteArrayUniquePtr<T> BuildTfLiteArray(int size, T value) {
  TfLiteArrayUniquePtr<T> array = BuildTfLiteArray<T>(size);
  if (array != nullptr) {
    std::fill_n(array->data, size, value);
  }
  return array;
}

// Copies of plain data, C arrays, lists, and whatever has data() and size(), as vectors and spans.
// The element type is that of the source, or T where it is given: elements are converted to it.
// Null data leaves the entries uninitialised.
template <class T = void, class U, class Element = array_internal::Chosen<T, U>>
TfLiteArrayUniquePtr<Element> BuildTfLiteArray(int size, const U* data) {
  TfLiteArrayUniquePtr<Element> array = BuildTfLiteArray<Element>(size);
  if (array != nullptr && data != nullptr) {
    std::transform(data, data + array->size, array->data,
                   [](const U& value) { return static_cast<Element>(value); });
  }
  return array;
}

template <class T, size_t kSize>
TfLiteArrayUniquePtr<T> BuildTfLiteArray(const T (&values)[kSize]) {
  return BuildTfLiteArray<T>(static_cast<int>(kSize), values);
}

template <class T>
TfLiteArrayUniquePtr<T> BuildTfLiteArray(std::initializer_list<T> values) {
  return BuildTfLiteArray<T>(static_cast<int>(values.size()), values.begin());
}

template <class T = void, class Container,
          class Element = array_internal::Chosen<
              T, std::decay_t<decltype(*std::declval<const Container&>().data())>>,
          class = decltype(std::declval<const Container&>().size())>
TfLiteArrayUniquePtr<Element> BuildTfLiteArray(const Container& values) {
  return BuildTfLiteArray<Element>(static_cast<int>(values.size()), values.data());
}

inline IntArrayUniquePtr BuildTfLiteArray(const TfLiteIntArray& other) {
  return IntArrayUniquePtr(TfLiteIntArrayCopy(&other));
}

inline FloatArrayUniquePtr BuildTfLiteArray(const TfLiteFloatArray& other) {
  return FloatArrayUniquePtr(TfLiteFloatArrayCopy(&other));
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_ARRAY_H_
