// SPDX-License-Identifier: Apache-2.0
// A tensor as a kernel sees it: a BHWC box of elements, how it lies in memory, and the element type
// there. A tensor of any rank is viewed as a box by right alignment: the last dimension is the
// channels, the two before it width and height, and all further ones fold into the batch (rank 5:
// batch = d0 * d1). Missing ones are 1.
#ifndef TERN_GPU_DESC_TENSOR_DESC_H_
#define TERN_GPU_DESC_TENSOR_DESC_H_

#include <cstdint>
#include <span>
#include <string>

#include "gpu/desc/element_type.h"

namespace tern::gpu {

struct Box {
  int b = 1, h = 1, w = 1, c = 1;

  int64_t elements() const { return int64_t{b} * h * w * c; }
  int slices(int slice_width) const { return c / slice_width + (c % slice_width != 0 ? 1 : 0); }
  friend bool operator==(const Box&, const Box&) = default;
};

// The box of a tensor with these dimensions (each >= 0, product below 2^31).
Box BoxOf(std::span<const int> dims);

// Every extent of `from` is 1 or that of `to`.
bool BroadcastsTo(const Box& from, const Box& to);

enum class Layout {
  kSlices,  // slice (W channels of one pixel) number ((b * slices + s) * h + y) * w + x; lanes past
            // c are zero
  kRows,    // row-major elements, exactly as the tensor lies at the API
  kVector,  // w slices of W elements each, read by one index (weights, biases)
};

struct TensorDesc {
  Box box;
  Layout layout = Layout::kSlices;
  Element element = Element::kFloat32;

  // Bytes that the tensor takes in memory for slices of slice_width lanes. Whole words: some
  // languages know no less.
  int64_t Bytes(int slice_width) const;
  friend bool operator==(const TensorDesc&, const TensorDesc&) = default;
};

std::string ToString(const Box& box);
std::string ToString(const TensorDesc& desc);

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_TENSOR_DESC_H_
