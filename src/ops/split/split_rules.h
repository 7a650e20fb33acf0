// SPDX-License-Identifier: Apache-2.0
// The parts that SPLIT, SPLIT_V and UNPACK cut a shape into, for the CPU and the GPU form.
#ifndef TERN_OPS_SPLIT_SPLIT_RULES_H_
#define TERN_OPS_SPLIT_SPLIT_RULES_H_

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "ops/rules_kit/view.h"

namespace tern {

// Parts of the given sizes one after the other along an axis that they fill.
inline std::vector<Viewed> PartViews(const Shape& input, size_t axis, const Shape& sizes) {
  const Shape strides = DenseStrides(input);
  std::vector<Viewed> parts;
  int64_t at = 0;
  for (const int64_t size : sizes) {
    Viewed part{input, {input, strides, at * strides[axis]}};
    part.shape[axis] = part.view.sizes[axis] = size;
    parts.push_back(std::move(part));
    at += size;
  }
  return parts;
}

inline StatusOr<std::vector<Viewed>> EvenParts(const Shape& input, int64_t axis, int count) {
  TERN_ASSIGN_OR_RETURN(const size_t at, AxisOf(axis, input.size()));
  if (count < 1 || input[at] % count != 0) {
    return Invalid("the axis cannot be split evenly (size ", input[at], ", ", count, " parts)");
  }
  return PartViews(input, at, Shape(static_cast<size_t>(count), input[at] / count));
}

// One size may be -1: what the others leave.
inline StatusOr<std::vector<Viewed>> SizedParts(const Shape& input, int64_t axis, Shape sizes) {
  TERN_ASSIGN_OR_RETURN(const size_t at, AxisOf(axis, input.size()));
  int64_t rest = input[at];
  int64_t* open = nullptr;
  for (int64_t& size : sizes) {
    if (size == -1 && open == nullptr) {
      open = &size;
      continue;
    }
    if (size < 0 || size > rest) {
      return Invalid("the sizes do not fit the axis (", size, ", ", rest, " of ", input[at],
                     " left)");
    }
    rest -= size;
  }
  if (open != nullptr) {
    *open = rest;
  } else if (rest != 0) {
    return Invalid("the sizes do not fill the axis (", rest, " of ", input[at], " left)");
  }
  return PartViews(input, at, sizes);
}

// One part for each of the `count` indices of the axis, without the axis.
inline StatusOr<std::vector<Viewed>> UnpackedParts(const Shape& input, int64_t axis, int count) {
  TERN_ASSIGN_OR_RETURN(const size_t at, AxisOf(axis, input.size()));
  if (input[at] != count) {
    return Invalid("there must be one output per index of the axis (", count, ", size ", input[at],
                   ")");
  }
  std::vector<Viewed> parts = PartViews(input, at, Shape(static_cast<size_t>(input[at]), 1));
  for (Viewed& part : parts) part.shape.erase(part.shape.begin() + static_cast<long>(at));
  return parts;
}

}  // namespace tern

#endif  // TERN_OPS_SPLIT_SPLIT_RULES_H_
