// SPDX-License-Identifier: Apache-2.0
// Broadcasting of two operands: the result's shape, and the walk over it with neighbouring axes
// joined.
#ifndef TERN_OPS_ELEMENTWISE_BROADCAST_H_
#define TERN_OPS_ELEMENTWISE_BROADCAST_H_

#include <algorithm>
#include <cstdint>

#include "ops/op_kit.h"

namespace tern {

// Shapes are aligned at their last axis; an axis of size 1 repeats.
inline StatusOr<Shape> BroadcastShape(const Shape& a, const Shape& b) {
  const size_t rank = std::max(a.size(), b.size());
  Shape out(rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
    const int64_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    if (x != y && x != 1 && y != 1) {
      return Invalid("shapes cannot be broadcast (", ShapeText(a), ", ", ShapeText(b), ")");
    }
    out[i] = x == 1 ? y : x;
  }
  return out;
}

// How operands move along the result: axis by axis, last axis fastest. Steps are 0 where an operand
// repeats.
struct BroadcastWalk {
  Shape sizes, steps_a, steps_b;

  BroadcastWalk() = default;
  BroadcastWalk(const Shape& a, const Shape& b, const Shape& out) {
    int64_t next_a = 1, next_b = 1;
    for (size_t i = 0; i < out.size(); ++i) {
      const size_t axis = out.size() - 1 - i;
      const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
      const int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
      if (out[axis] != 1) Append(out[axis], x == 1 ? 0 : next_a, y == 1 ? 0 : next_b);
      next_a *= x;
      next_b *= y;
    }
    if (sizes.empty()) Append(1, 0, 0);
    std::reverse(sizes.begin(), sizes.end());
    std::reverse(steps_a.begin(), steps_a.end());
    std::reverse(steps_b.begin(), steps_b.end());
  }

 private:
  // Joins the axis with the faster one before it when both operands allow it.
  void Append(int64_t size, int64_t step_a, int64_t step_b) {
    if (!sizes.empty() && step_a == steps_a.back() * sizes.back() &&
        step_b == steps_b.back() * sizes.back()) {
      sizes.back() *= size;
      return;
    }
    sizes.push_back(size);
    steps_a.push_back(step_a);
    steps_b.push_back(step_b);
  }
};

}  // namespace tern

#endif  // TERN_OPS_ELEMENTWISE_BROADCAST_H_
