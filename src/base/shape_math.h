// SPDX-License-Identifier: Apache-2.0
// Arithmetic of shapes and axes, for the CPU and the GPU form of an op.
#ifndef TERN_BASE_SHAPE_MATH_H_
#define TERN_BASE_SHAPE_MATH_H_

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

// Elements of a tensor may not exceed this number.
inline constexpr int64_t kMaxElements = INT32_MAX;

inline std::string ShapeText(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += StrCat(i == 0 ? "" : ", ", shape[i]);
  return text + "]";
}

// The number of elements, or an error when a size is negative or the product passes kMaxElements
// (zero sizes are left out of that check's product, so that [0, 2^30, 2^30] is an error too).
inline StatusOr<int64_t> CheckedElements(const Shape& shape) {
  int64_t product = 1;
  bool empty = false;
  for (const int64_t size : shape) {
    if (size < 0) return Invalid("a size is negative (", ShapeText(shape), ")");
    if (size == 0) {
      empty = true;
    } else if (size > kMaxElements / product) {
      return TooLarge("too many elements (", ShapeText(shape), ", limit ", kMaxElements, ")");
    } else {
      product *= size;
    }
  }
  return empty ? 0 : product;
}

// An axis of `rank` axes, counted from the end when negative.
inline StatusOr<size_t> AxisOf(int64_t axis, size_t rank) {
  const auto limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis >= limit) {
    return Invalid("axis is out of range (", axis, ", rank ", rank, ")");
  }
  return static_cast<size_t>(axis < 0 ? axis + limit : axis);
}

// Strides of a dense tensor.
inline Shape DenseStrides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

}  // namespace tern

#endif  // TERN_BASE_SHAPE_MATH_H_
