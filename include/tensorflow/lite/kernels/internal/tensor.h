// SPDX-License-Identifier: Apache-2.0
// Lists of tensors in the form that stand-alone kernels take.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_H_

#include <cstddef>
#include <vector>

#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"

namespace tflite {

// Data pointers and shapes of several tensors, with the lifetime of the object.
template <typename T>
class VectorOfTensors {
 public:
  VectorOfTensors(const TfLiteContext& context, const TfLiteIntArray& tensor_list) {
    shapes_.reserve(static_cast<size_t>(tensor_list.size));
    for (int i = 0; i < tensor_list.size; ++i) {
      TfLiteTensor* tensor = &context.tensors[tensor_list.data[i]];
      data_.push_back(GetTensorData<T>(tensor));
      shapes_.push_back(GetTensorShape(tensor));
    }
    for (RuntimeShape& shape : shapes_) {
      shape_pointers_.push_back(&shape);
    }
  }
  VectorOfTensors(const VectorOfTensors&) = delete;
  VectorOfTensors& operator=(const VectorOfTensors&) = delete;

  T* const* data() const { return data_.data(); }
  const RuntimeShape* const* shapes() const { return shape_pointers_.data(); }
  size_t size() const { return data_.size(); }

 private:
  std::vector<T*> data_;
  std::vector<RuntimeShape> shapes_;
  std::vector<RuntimeShape*> shape_pointers_;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_TENSOR_H_
