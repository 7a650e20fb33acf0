// SPDX-License-Identifier: Apache-2.0
// Where the elements of a sparse constant belong, read from its tables.
#ifndef TERN_OPS_TESTING_REFERENCE_SPARSE_H_
#define TERN_OPS_TESTING_REFERENCE_SPARSE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

inline std::vector<int64_t> NumbersOf(const tflite::SparseIndexVectorUnion& list) {
  if (const auto* v = list.AsUint8Vector()) return {v->values.begin(), v->values.end()};
  if (const auto* v = list.AsUint16Vector()) return {v->values.begin(), v->values.end()};
  if (const auto* v = list.AsInt32Vector()) return {v->values.begin(), v->values.end()};
  return {};
}

// The position of each stored element among all elements of the tensor.
inline std::vector<size_t> StoredPlaces(const tflite::TensorT& t) {
  const tflite::SparsityParametersT& s = *t.sparsity;
  const size_t rank = t.shape.size(), levels = s.traversal_order.size();
  // An index along each axis, counted in blocks, and then one within each block.
  using Index = std::vector<int64_t>;
  std::vector<Index> reached = {Index(levels, 0)};
  std::vector<int64_t> block_size(rank, 1);
  for (size_t i = 0; i < levels; ++i) {
    const tflite::DimensionMetadataT& level = *s.dim_metadata[i];
    const auto d = static_cast<size_t>(s.traversal_order[i]);
    if (d >= rank) block_size[s.block_map[d - rank]] = level.dense_size;
    std::vector<Index> next;
    const auto reach = [&](Index from, int64_t at) {
      from[d] = at;
      next.push_back(std::move(from));
    };
    const std::vector<int64_t> segments = NumbersOf(level.array_segments);
    const std::vector<int64_t> indices = NumbersOf(level.array_indices);
    for (size_t k = 0; k < reached.size(); ++k) {
      if (level.format == tflite::DimensionType_DENSE) {
        for (int64_t at = 0; at < level.dense_size; ++at) reach(reached[k], at);
      } else {
        for (int64_t at = segments[k]; at < segments[k + 1]; ++at) reach(reached[k], indices[at]);
      }
    }
    reached = std::move(next);
  }
  std::vector<size_t> places;
  for (const Index& index : reached) {
    Index at(index.begin(), index.begin() + static_cast<long>(rank));
    for (size_t a = 0; a < rank; ++a) at[a] *= block_size[a];
    for (size_t d = rank; d < levels; ++d) at[s.block_map[d - rank]] += index[d];
    size_t place = 0;
    for (size_t a = 0; a < rank; ++a) place = place * t.shape[a] + at[a];
    places.push_back(place);
  }
  return places;
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_SPARSE_H_
