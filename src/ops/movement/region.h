// SPDX-License-Identifier: Apache-2.0
// Ops that only move elements are lists of regions: boxes of elements that are copied from one
// tensor into another. CPU and GPU share the lists.
#ifndef TERN_OPS_MOVEMENT_REGION_H_
#define TERN_OPS_MOVEMENT_REGION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tern {

// All numbers count elements. Axes go from slow to fast; the three vectors have one length.
struct Region {
  int source = 0;  // which input
  int64_t source_offset = 0, destination_offset = 0;
  std::vector<int64_t> sizes, source_strides, destination_strides;
};

// Strides of a dense tensor.
std::vector<int64_t> DenseStrides(const std::vector<int64_t>& shape);

// Joins axes that follow each other without a gap on both sides and drops axes of size 1.
Region Simplify(const Region& region);

// Copies elements of element_bytes each. The region must lie inside both buffers.
void CopyRegion(const Region& region, const void* source, void* destination, int64_t element_bytes);

// One region per input; the inputs differ along `axis` only.
std::vector<Region> ConcatenationRegions(const std::vector<std::vector<int64_t>>& shapes,
                                         size_t axis);

// The input placed inside a larger output, `before` elements from its start on each axis.
Region PadRegion(const std::vector<int64_t>& input, const std::vector<int64_t>& output,
                 const std::vector<int64_t>& before);

}  // namespace tern

#endif  // TERN_OPS_MOVEMENT_REGION_H_
