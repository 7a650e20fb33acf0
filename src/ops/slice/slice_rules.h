// SPDX-License-Identifier: Apache-2.0
// The views that SLICE and STRIDED_SLICE take of a shape, for the CPU and the GPU form.
#ifndef TERN_OPS_SLICE_SLICE_RULES_H_
#define TERN_OPS_SLICE_SLICE_RULES_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "ops/rules_kit/view.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

// `begin` and `size` have one entry per axis; a size of -1 reaches to the end.
inline StatusOr<Viewed> SliceView(const Shape& input, const Shape& begin, const Shape& size) {
  if (begin.size() != input.size() || size.size() != input.size()) {
    return Invalid("begin and size must have one entry per axis (", begin.size(), ", ", size.size(),
                   ", rank ", input.size(), ")");
  }
  const Shape strides = DenseStrides(input);
  Viewed result;
  for (size_t i = 0; i < input.size(); ++i) {
    if (begin[i] < 0 || begin[i] > input[i]) {
      return Invalid("begin lies outside axis ", i, " (", begin[i], ", size ", input[i], ")");
    }
    const int64_t rest = input[i] - begin[i];
    if (size[i] < -1 || size[i] > rest) {
      return Invalid("size does not fit axis ", i, " (begin ", begin[i], ", size ", size[i],
                     ", axis of ", input[i], ")");
    }
    result.view.Add(size[i] == -1 ? rest : size[i], strides[i]);
    result.view.offset += begin[i] * strides[i];
  }
  result.shape = result.view.sizes;
  return result;
}

// Entries of one axis in the lists of a strided slice.
struct SliceIndex {
  int64_t begin = 0, end = 0, stride = 1;
  bool from_start = false, to_end = false;  // begin and end are masked
  bool one = false;                         // takes a single element
  bool end_is_length = false;
};

// The first `inside` of `count` elements lie on the axis.
struct SliceRange {
  int64_t start, count, inside;
};

// The elements from 0 on in steps of `step` that come before `end`.
inline int64_t StepsBefore(int64_t end, int64_t step) {
  return end <= 0 ? 0 : (end + step - 1) / step;
}

// Returns the range that an index takes from an axis of `size` elements. Begin and end may lie
// outside; negative ones count from the end. A single element outside is the one that is nearest to
// it. An end that is a length counts although it is masked, and may pass the axis.
inline StatusOr<SliceRange> RangeOf(const SliceIndex& index, int64_t size) {
  constexpr int64_t kFar = int64_t{1} << 40;
  if (index.stride == 0) return Invalid("stride value has to be non-zero");
  if (index.stride > INT32_MAX || index.stride < -INT32_MAX) {
    return Invalid("stride value INT32_MIN is not supported (", index.stride, ")");
  }
  const bool forward = index.stride > 0;
  const auto inside = [&](int64_t at) {
    at = std::clamp(at, -kFar, kFar);
    if (at < 0) at += size;
    return forward ? std::clamp<int64_t>(at, 0, size) : std::clamp<int64_t>(at, -1, size - 1);
  };
  const int64_t start = index.from_start ? (forward ? 0 : size - 1) : inside(index.begin);
  if (index.one) {
    if (!forward) return Invalid("stride of a single element is negative (", index.stride, ")");
    if (size == 0) return Invalid("there is no element to take (begin ", index.begin, ", size 0)");
    return SliceRange{std::min(start, size - 1), 1, 1};
  }
  const int64_t step = forward ? index.stride : -index.stride;
  const int64_t room = forward ? size - start : start + 1;
  if (index.end_is_length) {
    const int64_t length = std::clamp(index.end, -kFar, kFar);
    const int64_t count = StepsBefore(forward ? length : -length, step);
    return SliceRange{start, count, std::min(count, StepsBefore(room, step))};
  }
  const int64_t stop = index.to_end ? (forward ? size : -1) : inside(index.end);
  const int64_t count = StepsBefore(forward ? stop - start : start - stop, step);
  return SliceRange{start, count, count};
}

// The elements of a strided slice. `sizes` are those of the result along the axes of the view,
// which holds the elements inside the input: the first ones along each axis.
struct StridedSliced {
  Viewed viewed;
  Shape sizes;

  bool reaches_outside() const { return sizes != viewed.view.sizes; }
};

// The first words are TensorFlow Lite's, for programs that look for them.
inline Status CheckSliceLists(size_t begin, size_t end, size_t strides) {
  if (begin != end) {
    return Invalid("NumElements(op_context.begin) != NumElements(op_context.end) (", begin,
                   " != ", end, ")");
  }
  if (strides != begin) {
    return Invalid("begin and strides must have one length (", begin, ", ", strides, ")");
  }
  if (begin <= 31) return OkStatus();
  return Invalid("StridedSlice op only supports up to 31 indices (", begin, ")");
}

// The lists have one entry per index; bit i of a mask belongs to entry i. An ellipsis stands for
// all axes that the other indices leave over, at least one; entries without an axis after an
// ellipsis are ignored, axes without an entry are taken whole.
inline StatusOr<StridedSliced> StridedSliceView(const Shape& input, const Shape& begin,
                                                const Shape& end, const Shape& strides,
                                                const TfLiteStridedSliceParams& params) {
  const int rank = static_cast<int>(input.size()), entries = static_cast<int>(begin.size());
  TERN_RETURN_IF_ERROR(CheckSliceLists(begin.size(), end.size(), strides.size()));
  const auto has = [](int mask, int i) { return (mask >> i & 1) != 0; };
  int added = 0;
  for (int i = 0; i < entries; ++i) {
    added += has(params.new_axis_mask, i) && !has(params.ellipsis_mask, i);
  }
  const Shape dense = DenseStrides(input);
  StridedSliced sliced;
  Viewed& result = sliced.viewed;
  bool ellipsis = false;
  int entry = 0, axis = 0, open = rank + added;  // axes of the result still to come
  const auto take_whole = [&] {
    result.view.Add(input[axis], dense[axis]);
    sliced.sizes.push_back(input[axis]);
    result.shape.push_back(input[axis]);
    ++axis;
  };
  while (open > 0) {
    if (entry < entries && has(params.ellipsis_mask, entry)) {
      if (ellipsis) return Invalid("there are two ellipses");
      ellipsis = true;
      const int covered = std::max(1, std::min(1 + added + rank - entries, open));
      for (int i = 0; i < covered && axis < rank; ++i) take_whole();
      open -= covered;
      ++entry;
      continue;
    }
    --open;
    if (entry < entries && has(params.new_axis_mask, entry)) {
      result.shape.push_back(1);
      ++entry;
      continue;
    }
    if (axis >= rank)
      return Invalid("there are more indices than axes (", entries, ", ", rank, ")");
    if (entry >= entries) {
      take_whole();
      continue;
    }
    const SliceIndex index = {begin[entry],
                              end[entry],
                              strides[entry],
                              has(params.begin_mask, entry),
                              has(params.end_mask, entry),
                              has(params.shrink_axis_mask, entry),
                              params.offset};
    TERN_ASSIGN_OR_RETURN(const SliceRange range, RangeOf(index, input[axis]));
    // An empty range may start outside.
    if (range.inside > 0) result.view.offset += range.start * dense[axis];
    result.view.Add(range.inside, index.stride * dense[axis]);
    sliced.sizes.push_back(range.count);
    if (!index.one) result.shape.push_back(range.count);
    ++axis;
    ++entry;
  }
  if (entry < entries && !ellipsis) {
    return Invalid("there are more indices than axes (", entries, ", ", rank, ")");
  }
  return sliced;
}

}  // namespace tern

#endif  // TERN_OPS_SLICE_SLICE_RULES_H_
