// SPDX-License-Identifier: Apache-2.0
// Typed data and shape of a tensor; NULL is accepted.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/kernels/internal/types.h"

namespace tflite {

template <typename T>
inline T* GetTensorData(TfLiteTensor* tensor) {
  return tensor != nullptr ? reinterpret_cast<T*>(tensor->data.raw) : nullptr;
}

template <typename T>
inline const T* GetTensorData(const TfLiteTensor* tensor) {
  return tensor != nullptr ? reinterpret_cast<const T*>(tensor->data.raw_const) : nullptr;
}

inline RuntimeShape GetTensorShape(const TfLiteTensor* tensor) {
  return tensor == nullptr || tensor->dims == nullptr
             ? RuntimeShape()
             : RuntimeShape(tensor->dims->size, tensor->dims->data);
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_
