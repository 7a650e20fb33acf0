// SPDX-License-Identifier: Apache-2.0
// Ops that only move elements are lists of regions: boxes of elements that are copied from one
// tensor into another.
#ifndef TERN_OPS_CPU_KIT_REGION_H_
#define TERN_OPS_CPU_KIT_REGION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu/thread_pool.h"
#include "ops/rules_kit/view.h"

namespace tern {

// All numbers count elements. Axes go from slow to fast; the three vectors have one length. Strides
// of the source may be 0 or negative, those of the destination only negative.
struct Region {
  int source = 0;       // which input
  int destination = 0;  // which output
  int64_t source_offset = 0, destination_offset = 0;
  Shape sizes, source_strides, destination_strides;
};

// Joins axes that follow each other without a gap on both sides and drops axes of size 1.
Region Simplify(const Region& region);

// Copies elements of 1, 2, 4, 8 or 16 bytes. The region must lie inside both buffers.
void CopyRegion(const Region& region, const void* source, void* destination, int64_t element_bytes,
                ThreadPool* pool);

// The view of a source, written densely.
Region ViewRegion(const View& view, int source = 0, int destination = 0);

// One region per input; the inputs differ along `axis` only.
std::vector<Region> ConcatenationRegions(const std::vector<Shape>& shapes, size_t axis);

// The input placed inside a larger output, `before` elements from its start on each axis.
Region PadRegion(const Shape& input, const Shape& output, const Shape& before);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_REGION_H_
