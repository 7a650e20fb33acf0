// SPDX-License-Identifier: Apache-2.0
// The views that TRANSPOSE, REVERSE_V2, TILE, BROADCAST_TO, EXPAND_DIMS and SQUEEZE make of a
// shape, for the CPU and the GPU form. Messages begin with TensorFlow Lite's words where programs
// look for them.
#ifndef TERN_OPS_MOVEMENT_VIEW_RULES_H_
#define TERN_OPS_MOVEMENT_VIEW_RULES_H_

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "ops/rules_kit/view.h"

namespace tern {

// TensorFlow Lite's limit of TRANSPOSE, REVERSE_V2 and SQUEEZE.
inline constexpr size_t kMaxViewRank = 8;

inline Status CheckViewRank(size_t rank) {
  if (rank <= kMaxViewRank) return OkStatus();
  return Unsupported("rank is too high (", rank, ", limit ", kMaxViewRank, ")");
}

// Axes given from either end -> which axes are named.
inline StatusOr<std::vector<bool>> NamedAxes(const Shape& axes, size_t rank) {
  std::vector<bool> named(rank, false);
  for (const int64_t axis : axes) {
    TERN_ASSIGN_OR_RETURN(const size_t at, AxisOf(axis, rank));
    named[at] = true;
  }
  return named;
}

// Axis i of the result is axis order[i] of the operand.
inline StatusOr<Viewed> TransposeView(const Shape& input, const Shape& order) {
  const size_t rank = input.size();
  if (rank > kMaxViewRank) {
    return Unsupported("Transpose op only supports 1D-8D input arrays (", rank, ")");
  }
  if (order.size() != rank) {
    return Invalid("op_context->perm->dims->data[0] != dims (", order.size(), " != ", rank,
                   "): the order must have one entry per axis");
  }
  const Shape strides = DenseStrides(input);
  std::vector<bool> seen(rank, false);
  Viewed result;
  for (const int64_t entry : order) {
    const StatusOr<size_t> found = AxisOf(entry, rank);
    if (!found.ok()) {
      return Invalid("Transpose op permutations array is out of bounds: ", Message(found.status()));
    }
    const size_t axis = *found;
    if (seen[axis]) return Invalid("the order names an axis twice (", axis, ")");
    seen[axis] = true;
    result.view.Add(input[axis], strides[axis]);
  }
  result.shape = result.view.sizes;
  return result;
}

inline StatusOr<Viewed> ReverseView(const Shape& input, const Shape& axes) {
  TERN_RETURN_IF_ERROR(CheckViewRank(input.size()));
  TERN_ASSIGN_OR_RETURN(const std::vector<bool> reversed, NamedAxes(axes, input.size()));
  Viewed result{input, WholeView(input)};
  for (size_t i = 0; i < input.size(); ++i) {
    if (!reversed[i]) continue;
    int64_t& stride = result.view.strides[i];
    result.view.offset += (input[i] - 1) * stride;
    stride = -stride;
  }
  return result;
}

inline StatusOr<Viewed> TileView(const Shape& input, const Shape& multiples) {
  if (multiples.size() != input.size()) {
    return Invalid("there must be one multiple per axis (", multiples.size(), ", rank ",
                   input.size(), ")");
  }
  const Shape strides = DenseStrides(input);
  Viewed result;
  for (size_t i = 0; i < input.size(); ++i) {
    if (multiples[i] < 0 || multiples[i] > INT32_MAX) {
      return Invalid("a multiple is out of range (", multiples[i], ")");
    }
    result.view.Add(multiples[i], 0);
    result.view.Add(input[i], strides[i]);
    result.shape.push_back(multiples[i] * input[i]);
  }
  TERN_RETURN_IF_ERROR(CheckedElements(result.shape).status());
  return result;
}

// Shapes meet at their last axes; axes of size 1 repeat.
inline StatusOr<Viewed> BroadcastView(const Shape& input, const Shape& to) {
  constexpr const char* kWords = "Output shape must be broadcastable from input shape: ";
  if (to.size() < input.size()) {
    return Invalid(kWords, "the shape has fewer axes than the input (", to.size(), ", ",
                   input.size(), ")");
  }
  const Shape strides = DenseStrides(input);
  const size_t added = to.size() - input.size();
  Viewed result;
  for (size_t i = 0; i < to.size(); ++i) {
    const int64_t own = i < added ? 1 : input[i - added];
    if (own != to[i] && own != 1) {
      return Invalid(kWords, "the input cannot be repeated along axis ", i, " (", own, " to ",
                     to[i], ")");
    }
    result.view.Add(to[i], own == 1 ? 0 : strides[i - added]);
  }
  TERN_RETURN_IF_ERROR(CheckedElements(to).status());
  result.shape = to;
  return result;
}

// A new axis of size 1 before axis `axis`, which counts from the end when negative.
inline StatusOr<Viewed> ExpandedView(const Shape& input, int64_t axis) {
  TERN_ASSIGN_OR_RETURN(const size_t at, AxisOf(axis, input.size() + 1));
  Viewed result{input, WholeView(input)};
  result.shape.insert(result.shape.begin() + static_cast<long>(at), 1);
  return result;
}

// Without the named axes, which must have size 1; without all such axes when none is named.
inline StatusOr<Viewed> SqueezedView(const Shape& input, const Shape& axes) {
  TERN_RETURN_IF_ERROR(CheckViewRank(input.size()));
  TERN_ASSIGN_OR_RETURN(const std::vector<bool> named, NamedAxes(axes, input.size()));
  Viewed result{{}, WholeView(input)};
  for (size_t i = 0; i < input.size(); ++i) {
    if (named[i] && input[i] != 1) {
      return Invalid("axis ", i, " cannot be dropped (size ", input[i], ")");
    }
    if (axes.empty() ? input[i] != 1 : !named[i]) result.shape.push_back(input[i]);
  }
  return result;
}

}  // namespace tern

#endif  // TERN_OPS_MOVEMENT_VIEW_RULES_H_
