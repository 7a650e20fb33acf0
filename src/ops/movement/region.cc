// SPDX-License-Identifier: Apache-2.0
// Building and copying regions.
#include "ops/movement/region.h"

#include <algorithm>
#include <cstring>

namespace tern {

std::vector<int64_t> DenseStrides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

Region Simplify(const Region& region) {
  Region result;
  result.source = region.source;
  result.source_offset = region.source_offset;
  result.destination_offset = region.destination_offset;
  for (size_t i = 0; i < region.sizes.size(); ++i) {
    const int64_t size = region.sizes[i];
    if (size == 1) continue;
    if (!result.sizes.empty() && result.source_strides.back() == region.source_strides[i] * size &&
        result.destination_strides.back() == region.destination_strides[i] * size) {
      result.sizes.back() *= size;
      result.source_strides.back() = region.source_strides[i];
      result.destination_strides.back() = region.destination_strides[i];
      continue;
    }
    result.sizes.push_back(size);
    result.source_strides.push_back(region.source_strides[i]);
    result.destination_strides.push_back(region.destination_strides[i]);
  }
  return result;
}

void CopyRegion(const Region& region, const void* source, void* destination,
                int64_t element_bytes) {
  Region r = Simplify(region);
  if (std::find(r.sizes.begin(), r.sizes.end(), 0) != r.sizes.end()) return;
  // The fastest axis is one block of bytes when it is dense on both sides, else single elements.
  int64_t block = element_bytes;
  if (!r.sizes.empty() && r.source_strides.back() == 1 && r.destination_strides.back() == 1) {
    block *= r.sizes.back();
    r.sizes.pop_back();
  }
  int64_t blocks = 1;
  for (const int64_t size : r.sizes) blocks *= size;
  const char* from = static_cast<const char*>(source) + r.source_offset * element_bytes;
  char* to = static_cast<char*>(destination) + r.destination_offset * element_bytes;
  std::vector<int64_t> index(r.sizes.size(), 0);
  for (int64_t i = 0; i < blocks; ++i) {
    std::memcpy(to, from, static_cast<size_t>(block));
    for (size_t axis = r.sizes.size(); axis-- > 0;) {
      from += r.source_strides[axis] * element_bytes;
      to += r.destination_strides[axis] * element_bytes;
      if (++index[axis] < r.sizes[axis]) break;
      index[axis] = 0;
      from -= r.sizes[axis] * r.source_strides[axis] * element_bytes;
      to -= r.sizes[axis] * r.destination_strides[axis] * element_bytes;
    }
  }
}

std::vector<Region> ConcatenationRegions(const std::vector<std::vector<int64_t>>& shapes,
                                         size_t axis) {
  std::vector<int64_t> output = shapes[0];
  output[axis] = 0;
  for (const auto& shape : shapes) output[axis] += shape[axis];
  const std::vector<int64_t> strides = DenseStrides(output);
  std::vector<Region> regions;
  int64_t at = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    Region region;
    region.source = static_cast<int>(i);
    region.destination_offset = at * strides[axis];
    region.sizes = shapes[i];
    region.source_strides = DenseStrides(shapes[i]);
    region.destination_strides = strides;
    regions.push_back(region);
    at += shapes[i][axis];
  }
  return regions;
}

Region PadRegion(const std::vector<int64_t>& input, const std::vector<int64_t>& output,
                 const std::vector<int64_t>& before) {
  Region region;
  region.sizes = input;
  region.source_strides = DenseStrides(input);
  region.destination_strides = DenseStrides(output);
  for (size_t i = 0; i < input.size(); ++i) {
    region.destination_offset += before[i] * region.destination_strides[i];
  }
  return region;
}

}  // namespace tern
