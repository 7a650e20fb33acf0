// SPDX-License-Identifier: Apache-2.0
// The C arrays and the smallest functions of the C ABI.
#include <cstdlib>
#include <cstring>
#include <limits>

#include "tensorflow/lite/core/c/common.h"

namespace {

template <class Array, class T>
Array* CreateArray(int size) {
  if (size < 0) {
    return nullptr;
  }
  const size_t bytes = sizeof(Array) + static_cast<size_t>(size) * sizeof(T);
  auto* array = static_cast<Array*>(std::malloc(bytes));
  if (array != nullptr) {
    array->size = size;
  }
  return array;
}

template <class Array, class T>
Array* CopyArray(const Array* src) {
  if (src == nullptr) {
    return nullptr;
  }
  Array* copy = CreateArray<Array, T>(src->size);
  if (copy != nullptr && src->size > 0) {
    std::memcpy(copy->data, src->data, static_cast<size_t>(src->size) * sizeof(T));
  }
  return copy;
}

}  // namespace

size_t TfLiteIntArrayGetSizeInBytes(int size) {
  return size < 0 ? 0 : sizeof(TfLiteIntArray) + static_cast<size_t>(size) * sizeof(int);
}

TfLiteIntArray* TfLiteIntArrayCreate(int size) { return CreateArray<TfLiteIntArray, int>(size); }

int TfLiteIntArrayEqual(const TfLiteIntArray* a, const TfLiteIntArray* b) {
  if (a == b) {
    return 1;
  }
  if (a == nullptr || b == nullptr) {
    return 0;
  }
  return TfLiteIntArrayEqualsArray(a, b->size, b->data);
}

int TfLiteIntArrayEqualsArray(const TfLiteIntArray* a, int b_size, const int b_data[]) {
  const int a_size = a == nullptr ? 0 : a->size;
  if (a_size != b_size) {
    return 0;
  }
  return a_size <= 0 ||
         std::memcmp(a->data, b_data, static_cast<size_t>(a_size) * sizeof(int)) == 0;
}

TfLiteIntArray* TfLiteIntArrayCopy(const TfLiteIntArray* src) {
  return CopyArray<TfLiteIntArray, int>(src);
}

void TfLiteIntArrayFree(TfLiteIntArray* a) { std::free(a); }

int TfLiteFloatArrayGetSizeInBytes(int size) {
  constexpr int kMost =
      (std::numeric_limits<int>::max() - static_cast<int>(sizeof(TfLiteFloatArray))) /
      static_cast<int>(sizeof(float));
  if (size < 0 || size > kMost) {
    return 0;
  }
  return static_cast<int>(sizeof(TfLiteFloatArray)) + size * static_cast<int>(sizeof(float));
}

TfLiteFloatArray* TfLiteFloatArrayCreate(int size) {
  return CreateArray<TfLiteFloatArray, float>(size);
}

TfLiteFloatArray* TfLiteFloatArrayCopy(const TfLiteFloatArray* src) {
  return CopyArray<TfLiteFloatArray, float>(src);
}

void TfLiteFloatArrayFree(TfLiteFloatArray* a) { std::free(a); }

const char* TfLiteTypeGetName(TfLiteType type) {
  static constexpr const char* kNames[] = {
      "NOTYPE",     "FLOAT32",  "INT32",     "UINT8",   "INT64",         "STRING",
      "BOOL",       "INT16",    "COMPLEX64", "INT8",    "FLOAT16",       "FLOAT64",
      "COMPLEX128", "UINT64",   "RESOURCE",  "VARIANT", "UINT32",        "UINT16",
      "INT4",       "BFLOAT16", "INT2",      "UINT4",   "FLOAT8_E4M3FN", "FLOAT8_E5M2"};
  // C callers may hand over any number, which an enumeration of C++ cannot hold.
  unsigned int index = 0;
  std::memcpy(&index, &type, sizeof(index));
  return index < sizeof(kNames) / sizeof(kNames[0]) ? kNames[index] : "Unknown type";
}

// The value is part of the C API.
void* TfLiteKernelInitFailed(void) {
  return reinterpret_cast<void*>(static_cast<intptr_t>(-1));  // NOLINT(performance-no-int-to-ptr)
}

TfLiteDelegate TfLiteDelegateCreate(void) { return TfLiteDelegate{}; }
