// SPDX-License-Identifier: Apache-2.0
// Windows of a tensor and index vectors that say where they are, as STABLEHLO_GATHER and
// STABLEHLO_SCATTER describe them, for the CPU and the GPU forms.
#ifndef TERN_OPS_STABLEHLO_WINDOW_LIST_H_
#define TERN_OPS_STABLEHLO_WINDOW_LIST_H_

#include <algorithm>

#include "base/status.h"
#include "base/tensor/shape_math.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

inline Shape ListOf(const int64_t* values, int count) { return Shape(values, values + count); }

inline bool Holds(const Shape& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Axes in rising order without repetition, each of a tensor of `rank`.
inline Status CheckAxes(const Shape& axes, size_t rank, bool sorted, const char* what) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= static_cast<int64_t>(rank)) {
      return Invalid(what, " are out of range (", ShapeText(axes), ", rank ", rank, ")");
    }
    if (sorted && i > 0 && axes[i] <= axes[i - 1]) {
      return Invalid(what, " must rise (", ShapeText(axes), ")");
    }
    for (size_t j = 0; !sorted && j < i; ++j) {
      if (axes[i] == axes[j]) return Invalid(what, " repeat an axis (", ShapeText(axes), ")");
    }
  }
  return OkStatus();
}

// A tensor, windows in it, and a list of windows side by side. Both ops use them. The list is a
// tensor with `window_axes` for the position inside a window and the others for the window's
// number.
struct WindowList {
  Shape window_axes;  // of the list
  Shape
      missing_axes;  // of the tensor: windows have size 1 there, and the list has no axis for them
  Shape start_axes;  // of the tensor: what the numbers of an index vector stand for
  int64_t vector_axis;  // of the indices; their rank: each number is a vector

  // Shape of the window numbers.
  Shape BatchShape(const Shape& indices) const {
    Shape batch;
    for (size_t i = 0; i < indices.size(); ++i) {
      if (static_cast<int64_t>(i) != vector_axis) batch.push_back(indices[i]);
    }
    return batch;
  }
};

inline Status CheckList(const WindowList& list, const Shape& tensor, const Shape& indices,
                        size_t list_rank) {
  TERN_RETURN_IF_ERROR(CheckAxes(list.window_axes, list_rank, true, "window axes"));
  TERN_RETURN_IF_ERROR(CheckAxes(list.missing_axes, tensor.size(), true, "collapsed axes"));
  TERN_RETURN_IF_ERROR(CheckAxes(list.start_axes, tensor.size(), false, "start axes"));
  if (list.vector_axis < 0 || list.vector_axis > static_cast<int64_t>(indices.size())) {
    return Invalid("the index vector's axis is out of range (", list.vector_axis, ", rank ",
                   indices.size(), ")");
  }
  const bool scalar = list.vector_axis == static_cast<int64_t>(indices.size());
  const int64_t length = scalar ? 1 : indices[static_cast<size_t>(list.vector_axis)];
  if (length != static_cast<int64_t>(list.start_axes.size())) {
    return Invalid("index vectors do not fit the start axes (", length, ", ",
                   list.start_axes.size(), ")");
  }
  if (list.window_axes.size() + list.missing_axes.size() != tensor.size()) {
    return Invalid("window and collapsed axes do not make up the rank (", list.window_axes.size(),
                   ", ", list.missing_axes.size(), ", ", tensor.size(), ")");
  }
  return OkStatus();
}

inline WindowList WindowListOf(const TfLiteStablehloGatherParams& p) {
  return {ListOf(p.offset_dims, p.num_offset_dims),
          ListOf(p.collapsed_slice_dims, p.num_collapsed_slice_dims),
          ListOf(p.start_index_map, p.num_start_index_map), p.index_vector_dim};
}

inline WindowList WindowListOf(const TfLiteStablehloScatterParams& p) {
  return {ListOf(p.update_window_dims, p.num_update_window_dims),
          ListOf(p.inserted_window_dims, p.num_inserted_window_dims),
          ListOf(p.scatter_dims_to_operand_dims, p.num_scatter_dims_to_operand_dims),
          p.index_vector_dim};
}

// Whether STABLEHLO_SCATTER may write such updates into `tensor`.
inline Status CheckUpdates(const WindowList& list, const Shape& tensor, const Shape& indices,
                           const Shape& updates) {
  TERN_RETURN_IF_ERROR(CheckList(list, tensor, indices, updates.size()));
  const Shape batch = list.BatchShape(indices);
  Shape rest;
  for (size_t i = 0; i < updates.size(); ++i) {
    if (!Holds(list.window_axes, static_cast<int64_t>(i))) rest.push_back(updates[i]);
  }
  if (rest == batch) return OkStatus();
  return Invalid("updates and indices differ in shape (", ShapeText(rest), ", ", ShapeText(batch),
                 ")");
}

// Returns the shape of the result of STABLEHLO_GATHER for windows of these sizes, one for each axis
// of `tensor`.
inline StatusOr<Shape> GatheredShape(const WindowList& list, const Shape& sizes,
                                     const Shape& tensor, const Shape& indices) {
  if (sizes.size() != tensor.size()) {
    return Invalid("there must be a window size per axis (", sizes.size(), ", ", tensor.size(),
                   ")");
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    const bool collapsed = Holds(list.missing_axes, static_cast<int64_t>(i));
    if (sizes[i] < 0 || sizes[i] > tensor[i] || (collapsed && sizes[i] != 1)) {
      return Invalid("a window size is out of range (", sizes[i], ", axis of ", tensor[i], ")");
    }
  }
  const size_t batch_rank =
      indices.size() - (list.vector_axis < static_cast<int64_t>(indices.size()) ? 1 : 0);
  const size_t rank = batch_rank + list.window_axes.size();
  TERN_RETURN_IF_ERROR(CheckList(list, tensor, indices, rank));
  const Shape batch = list.BatchShape(indices);
  Shape output;
  size_t next = 0, window = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (!Holds(list.window_axes, static_cast<int64_t>(i))) {
      output.push_back(batch[next++]);
      continue;
    }
    while (Holds(list.missing_axes, static_cast<int64_t>(window))) ++window;
    output.push_back(sizes[window++]);
  }
  return output;
}

}  // namespace tern

#endif  // TERN_OPS_STABLEHLO_WINDOW_LIST_H_
