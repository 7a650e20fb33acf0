// SPDX-License-Identifier: Apache-2.0
// The view that an op makes of one operand if it only moves elements: a shape, and where each
// element of the result comes from. The rules that compute views are shared by the CPU and the GPU
// form of an op.
#ifndef TERN_OPS_RULES_KIT_VIEW_H_
#define TERN_OPS_RULES_KIT_VIEW_H_

#include <cstdint>

#include "base/tensor/shape_math.h"

namespace tern {

// Element k of a row-major walk over `sizes` (slow to fast) is element offset + sum(k * strides) of
// the operand. Strides may be 0 or negative; all numbers count elements.
struct View {
  Shape sizes, strides;
  int64_t offset = 0;

  void Add(int64_t size, int64_t stride) {
    sizes.push_back(size);
    strides.push_back(stride);
  }
};

// `shape` holds the elements of the view in the order of its walk; a view may have more axes than
// the shape.
struct Viewed {
  Shape shape;
  View view;
};

inline View WholeView(const Shape& shape) { return {shape, DenseStrides(shape), 0}; }

}  // namespace tern

#endif  // TERN_OPS_RULES_KIT_VIEW_H_
