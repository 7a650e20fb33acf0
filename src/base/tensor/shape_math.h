// SPDX-License-Identifier: Apache-2.0
// Arithmetic of shapes and axes, for the CPU and the GPU form of an op.
#ifndef TERN_BASE_TENSOR_SHAPE_MATH_H_
#define TERN_BASE_TENSOR_SHAPE_MATH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern {

// Sizes are 64-bit while they are computed; they fit into 32 bits once they are a tensor's.
using Shape = std::vector<int64_t>;

inline Shape ShapeOf(const TfLiteTensor* t) {
  if (t->dims == nullptr) return {};
  return Shape(t->dims->data, t->dims->data + t->dims->size);
}

// Elements of a tensor may not exceed this number, and neither may a single size.
inline constexpr int64_t kMaxElements = INT32_MAX;

inline std::string ShapeText(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += StrCat(i == 0 ? "" : ", ", shape[i]);
  return text + "]";
}

// The number of elements, or an error when a size is negative, or a size or the product passes
// kMaxElements. Beside a size of 0 the product of the others does not matter.
inline StatusOr<int64_t> CheckedElements(const Shape& shape) {
  int64_t product = 1;
  bool large = false;
  for (const int64_t size : shape) {
    if (size < 0) return Invalid("a size is negative (", ShapeText(shape), ")");
    large = large || size > kMaxElements;
    product = std::min(product * std::min(size, kMaxElements), kMaxElements + 1);
  }
  if (large || product > kMaxElements) {
    return TooLarge("too many elements (", ShapeText(shape), ", limit ", kMaxElements, ")");
  }
  return product;
}

// An axis of `rank` axes, counted from the end when negative.
inline StatusOr<size_t> AxisOf(int64_t axis, size_t rank) {
  const auto limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis >= limit) {
    return Invalid("axis is out of range (", axis, ", rank ", rank, ")");
  }
  return static_cast<size_t>(axis < 0 ? axis + limit : axis);
}

// Strides of a dense tensor. Sizes beside a size of 0 may have any product, so that strides end at
// kMaxElements.
inline Shape DenseStrides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = std::min(strides[i] * shape[i], kMaxElements);
  }
  return strides;
}

}  // namespace tern

#endif  // TERN_BASE_TENSOR_SHAPE_MATH_H_
