// SPDX-License-Identifier: Apache-2.0
// Broadcasting of several operands: the result's shape, and the walk over it with neighbouring axes
// joined.
#ifndef TERN_OPS_RULES_KIT_BROADCAST_H_
#define TERN_OPS_RULES_KIT_BROADCAST_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "base/tensor/shape_math.h"

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

// How N operands move along the result: axis by axis, last axis fastest. Steps are 0 where an
// operand repeats.
template <size_t N>
struct BroadcastWalkOf {
  using Numbers = std::array<int64_t, N>;

  Shape sizes;
  std::vector<Numbers> steps;  // per axis

  BroadcastWalkOf() = default;
  BroadcastWalkOf(const std::array<Shape, N>& operands, const Shape& out) {
    Numbers next;
    next.fill(1);
    for (size_t i = 0; i < out.size(); ++i) {
      const size_t axis = out.size() - 1 - i;
      Numbers step;
      for (size_t n = 0; n < N; ++n) {
        const Shape& shape = operands[n];
        const int64_t size = i < shape.size() ? shape[shape.size() - 1 - i] : 1;
        step[n] = size == 1 ? 0 : next[n];
        next[n] *= size;
      }
      if (out[axis] != 1) Append(out[axis], step);
    }
    if (sizes.empty()) Append(1, Numbers{});
    std::reverse(sizes.begin(), sizes.end());
    std::reverse(steps.begin(), steps.end());
  }

  // Where the operands are at a position of the result.
  Numbers OffsetsAt(int64_t position) const {
    Numbers offsets{};
    for (size_t axis = sizes.size(); axis-- > 0; position /= sizes[axis]) {
      const int64_t index = position % sizes[axis];
      for (size_t n = 0; n < N; ++n) offsets[n] += index * steps[axis][n];
    }
    return offsets;
  }

  // Visits result positions [begin, end): function(position, offset of each operand, count) per
  // piece of a row, along which operands move by steps.back().
  template <class F>
  void ForEachPiece(int64_t begin, int64_t end, const F& function) const {
    const size_t last = sizes.size() - 1;
    const int64_t row_size = sizes[last];
    Numbers offsets = OffsetsAt(begin);
    std::vector<int64_t> index(last);
    for (int64_t axis = static_cast<int64_t>(last) - 1, row = begin / row_size; axis >= 0; --axis) {
      index[axis] = row % sizes[axis];
      row /= sizes[axis];
    }
    for (int64_t at = begin; at < end;) {
      const int64_t column = at % row_size;
      const int64_t count = std::min(row_size - column, end - at);
      function(at, offsets, count);
      at += count;
      // To the start of the next row.
      for (size_t n = 0; n < N; ++n) offsets[n] -= column * steps[last][n];
      for (size_t axis = last; axis-- > 0;) {
        for (size_t n = 0; n < N; ++n) offsets[n] += steps[axis][n];
        if (++index[axis] < sizes[axis]) break;
        for (size_t n = 0; n < N; ++n) offsets[n] -= sizes[axis] * steps[axis][n];
        index[axis] = 0;
      }
    }
  }

 private:
  // Joins the axis with the faster one before it when all operands allow it.
  void Append(int64_t size, const Numbers& step) {
    bool joined = !sizes.empty();
    for (size_t n = 0; joined && n < N; ++n) joined = step[n] == steps.back()[n] * sizes.back();
    if (joined) {
      sizes.back() *= size;
      return;
    }
    sizes.push_back(size);
    steps.push_back(step);
  }
};

using BroadcastWalk = BroadcastWalkOf<2>;

}  // namespace tern

#endif  // TERN_OPS_RULES_KIT_BROADCAST_H_
