// SPDX-License-Identifier: Apache-2.0
// Shapes of operations that look elements up or put them where indices say, for the CPU and the GPU
// forms.
#ifndef TERN_OPS_GATHER_GATHER_RULES_H_
#define TERN_OPS_GATHER_GATHER_RULES_H_

#include <cstdint>

#include "base/status.h"
#include "base/tensor/shape_math.h"

namespace tern {

// The input is [batch, outer, axis, inner], the indices are [batch, count], and the output is
// [batch, outer, count, inner].
struct GatherShapes {
  Shape output;
  int64_t batch = 1, outer = 1, axis = 1, inner = 1, count = 1;
};

inline StatusOr<GatherShapes> GatherShapesOf(const Shape& input, const Shape& indices, int64_t axis,
                                             int64_t batch_dims) {
  TERN_ASSIGN_OR_RETURN(const size_t at, AxisOf(axis, input.size()));
  if (batch_dims < 0) batch_dims += static_cast<int64_t>(indices.size());
  const auto shared = static_cast<size_t>(batch_dims);
  if (batch_dims < 0 || shared > at || shared > indices.size()) {
    return Invalid("batch_dims is out of range (", batch_dims, ", axis ", at, ", index rank ",
                   indices.size(), ")");
  }
  GatherShapes s;
  for (size_t i = 0; i < input.size(); ++i) {
    if (i < shared && input[i] != indices[i]) {
      return Invalid("input and indices differ in axis ", i, " (", input[i], ", ", indices[i], ")");
    }
    (i < shared ? s.batch : i < at ? s.outer : i == at ? s.axis : s.inner) *= input[i];
  }
  s.output.assign(input.begin(), input.begin() + static_cast<long>(at));
  for (size_t i = shared; i < indices.size(); ++i) {
    s.count *= indices[i];
    s.output.push_back(indices[i]);
  }
  s.output.insert(s.output.end(), input.begin() + static_cast<long>(at) + 1, input.end());
  TERN_RETURN_IF_ERROR(CheckedElements(s.output).status());
  return s;
}

// Tables of embeddings are larger than what other operations compute with.
inline constexpr int64_t kMaxTableElements = int64_t{1} << 40;

inline Status CheckIndex(int64_t index, int64_t size) {
  if (index >= 0 && index < size) return OkStatus();
  return Invalid("an index is out of range (", index, ", size ", size, ")");
}

// The number of the block that an index vector names along the first `depth` axes.
inline StatusOr<int64_t> RowAt(const int64_t* index, const Shape& shape, size_t depth) {
  int64_t row = 0;
  for (size_t i = 0; i < depth; ++i) {
    TERN_RETURN_IF_ERROR(CheckIndex(index[i], shape[i]));
    row = row * shape[i] + index[i];
  }
  return row;
}

// The update of DYNAMIC_UPDATE_SLICE fits its operand; `begin` is the shape of its list of starts.
inline Status CheckUpdate(const Shape& operand, const Shape& update, const Shape& begin) {
  if (update.size() != operand.size()) {
    return Invalid("the update must have rank ", operand.size(), " (", update.size(), ")");
  }
  if (begin != Shape{static_cast<int64_t>(operand.size())}) {
    return Invalid("begin must have one entry per axis (", ShapeText(begin), ", rank ",
                   operand.size(), ")");
  }
  for (size_t i = 0; i < operand.size(); ++i) {
    if (update[i] > operand[i]) {
      return Invalid("the update is larger than the operand (", ShapeText(update), ", ",
                     ShapeText(operand), ")");
    }
  }
  return OkStatus();
}

// Returns the shape that the updates of SCATTER_ND must have. The last axis of `indices` holds the
// index vectors.
inline StatusOr<Shape> UpdatesShape(const Shape& indices, const Shape& output) {
  if (indices.empty()) return Invalid("indices must have a rank (0)");
  const int64_t depth = indices.back();
  if (depth < 1 || depth > static_cast<int64_t>(output.size())) {
    return Invalid("index vectors do not fit the shape (length ", depth, ", ", ShapeText(output),
                   ")");
  }
  Shape updates(indices.begin(), indices.end() - 1);
  updates.insert(updates.end(), output.begin() + depth, output.end());
  return updates;
}

// The axes of REVERSE_SEQUENCE.
struct ReverseAxes {
  size_t sequence = 0, batch = 0;
};

// `lengths` is the shape of the list of lengths.
inline StatusOr<ReverseAxes> ReverseAxesOf(const Shape& input, const Shape& lengths,
                                           int64_t sequence, int64_t batch) {
  ReverseAxes axes;
  TERN_ASSIGN_OR_RETURN(axes.sequence, AxisOf(sequence, input.size()));
  TERN_ASSIGN_OR_RETURN(axes.batch, AxisOf(batch, input.size()));
  if (axes.sequence == axes.batch) {
    return Invalid("seq_dim and batch_dim are one axis (", axes.batch, ")");
  }
  if (lengths == Shape{input[axes.batch]}) return axes;
  return Invalid("there must be one length per entry of the batch (", ShapeText(lengths), ", ",
                 input[axes.batch], ")");
}

inline Status CheckLength(int64_t length, int64_t size) {
  if (length >= 0 && length <= size) return OkStatus();
  return Invalid("a length is out of range (", length, ", size ", size, ")");
}

}  // namespace tern

#endif  // TERN_OPS_GATHER_GATHER_RULES_H_
