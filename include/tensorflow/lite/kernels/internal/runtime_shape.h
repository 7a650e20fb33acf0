// SPDX-License-Identifier: Apache-2.0
// A shape by value, and offsets into dense tensors.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_RUNTIME_SHAPE_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_RUNTIME_SHAPE_H_

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "tensorflow/lite/kernels/internal/compatibility.h"

namespace tflite {

class RuntimeShape {
 public:
  RuntimeShape() = default;
  explicit RuntimeShape(int dimensions_count) : dims_(static_cast<size_t>(dimensions_count)) {}
  RuntimeShape(int dimensions_count, int32_t value)
      : dims_(static_cast<size_t>(dimensions_count), value) {}
  RuntimeShape(int dimensions_count, const int32_t* dims_data)
      : dims_(dims_data, dims_data + dimensions_count) {}
  RuntimeShape(const std::initializer_list<int> init_list) : dims_(init_list) {}
  // `shape` with leading dimensions of `pad_value` up to new_shape_size.
  RuntimeShape(int new_shape_size, const RuntimeShape& shape, int pad_value) {
    TFLITE_CHECK_GE(new_shape_size, shape.DimensionsCount());
    dims_.assign(static_cast<size_t>(new_shape_size - shape.DimensionsCount()), pad_value);
    dims_.insert(dims_.end(), shape.dims_.begin(), shape.dims_.end());
  }
  ~RuntimeShape() = default;
  RuntimeShape(const RuntimeShape&) = default;
  RuntimeShape& operator=(const RuntimeShape&) = default;

  bool operator==(const RuntimeShape& other) const { return dims_ == other.dims_; }
  bool operator!=(const RuntimeShape& other) const { return dims_ != other.dims_; }

  int32_t DimensionsCount() const { return static_cast<int32_t>(dims_.size()); }
  int32_t Dims(int i) const {
    TFLITE_DCHECK(i >= 0 && i < DimensionsCount());
    return dims_[static_cast<size_t>(i)];
  }
  void SetDim(int i, int32_t value) {
    TFLITE_DCHECK(i >= 0 && i < DimensionsCount());
    dims_[static_cast<size_t>(i)] = value;
  }
  int32_t* DimsData() { return dims_.data(); }
  const int32_t* DimsData() const { return dims_.data(); }

  void Resize(int dimensions_count) { dims_.resize(static_cast<size_t>(dimensions_count)); }
  void ReplaceWith(int dimensions_count, const int32_t* dims_data) {
    dims_.assign(dims_data, dims_data + dimensions_count);
  }
  template <typename T>
  void BuildFrom(const T& sequence) {
    dims_.assign(sequence.begin(), sequence.end());
  }

  void BuildFrom(std::initializer_list<int> init_list) { dims_ = init_list; }

  // Number of elements.
  int FlatSize() const {
    int size = 1;
    for (const int32_t dim : dims_) {
      size *= dim;
    }
    return size;
  }

  // With leading dimensions of 1.
  static RuntimeShape ExtendedShape(int new_shape_size, const RuntimeShape& shape) {
    return RuntimeShape(new_shape_size, shape, 1);
  }

 private:
  std::vector<int32_t> dims_;
};

// The size that both dimensions must have.
inline int MatchingDim(const RuntimeShape& shape1, int index1, const RuntimeShape& shape2,
                       int index2) {
  TFLITE_DCHECK_EQ(shape1.Dims(index1), shape2.Dims(index2));
  return shape1.Dims(index1) < shape2.Dims(index2) ? shape1.Dims(index1) : shape2.Dims(index2);
}

// The number of elements that both shapes must have.
inline int MatchingFlatSize(const RuntimeShape& shape, const RuntimeShape& check_shape) {
  TFLITE_DCHECK(shape == check_shape);
  (void)check_shape;
  return shape.FlatSize();
}

// Elements without dimension `skip_dim`.
inline int FlatSizeSkipDim(const RuntimeShape& shape, int skip_dim) {
  int size = 1;
  for (int i = 0; i < shape.DimensionsCount(); ++i) {
    size *= i == skip_dim ? 1 : shape.Dims(i);
  }
  return size;
}

// Position of an element in a dense tensor of 4 or 5 dimensions.
inline int Offset(const RuntimeShape& shape, int i0, int i1, int i2, int i3) {
  TFLITE_DCHECK_EQ(shape.DimensionsCount(), 4);
  const int32_t* dims = shape.DimsData();
  return ((i0 * dims[1] + i1) * dims[2] + i2) * dims[3] + i3;
}
inline int Offset(const RuntimeShape& shape, int i0, int i1, int i2, int i3, int i4) {
  TFLITE_DCHECK_EQ(shape.DimensionsCount(), 5);
  const int32_t* dims = shape.DimsData();
  return (((i0 * dims[1] + i1) * dims[2] + i2) * dims[3] + i3) * dims[4] + i4;
}
inline int Offset(const RuntimeShape& shape, const int* index) {
  return Offset(shape, index[0], index[1], index[2], index[3]);
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_RUNTIME_SHAPE_H_
