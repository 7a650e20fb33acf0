// SPDX-License-Identifier: Apache-2.0
// Makes a dense constant of a model under construction a sparse one: level by level in an order of
// its axes, each level with all positions or a list of some, blocks within.
#ifndef TERN_OPS_TESTING_SPARSE_CONSTANT_H_
#define TERN_OPS_TESTING_SPARSE_CONSTANT_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

struct SparseForm {
  struct Block {
    int32_t axis, size;  // which divides the axis
  };
  // Dimensions are the axes, then the blocks; each part is walked in an order of its own.
  std::vector<int32_t> order;
  std::vector<Block> blocks;
  std::vector<bool> listed;   // by level of the axes
  bool small_numbers = true;  // lists of 8 or 16 bits where they suffice
};

inline void SetNumbers(const std::vector<int32_t>& numbers, bool small,
                       tflite::SparseIndexVectorUnion& to) {
  const auto set = [&](auto list) {
    list.values.assign(numbers.begin(), numbers.end());
    to.Set(std::move(list));
  };
  const int32_t max = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  if (small && max <= UINT8_MAX) return set(tflite::Uint8VectorT());
  if (small && max <= UINT16_MAX) return set(tflite::Uint16VectorT());
  set(tflite::Int32VectorT());
}

// Makes the constant `index`, of rank 1 or more, sparse. Elements that a list leaves out are 0 from
// now on. keep() decides on each position but the first one, so that something is stored.
template <class Keep>
void MakeSparse(ModelBuilder& b, int index, const SparseForm& form, const Keep& keep) {
  tflite::TensorT& tensor = b.tensor(index);
  const size_t rank = tensor.shape.size();
  std::vector<int32_t> size = tensor.shape;
  std::vector<int64_t> step(rank, 1);  // in the dense tensor
  for (size_t d = rank - 1; d-- > 0;) step[d] = step[d + 1] * size[d + 1];
  auto sparsity = std::make_unique<tflite::SparsityParametersT>();
  sparsity->traversal_order = form.order;
  for (const SparseForm::Block& block : form.blocks) {
    sparsity->block_map.push_back(block.axis);
    size.push_back(block.size);
    step.push_back(step[block.axis]);
    size[block.axis] /= block.size;
    step[block.axis] *= block.size;
  }
  std::vector<int64_t> places = {0};  // in the dense tensor, of what the levels so far reach
  for (size_t i = 0; i < form.order.size(); ++i) {
    const int32_t d = form.order[i];
    const bool listed = i < rank && form.listed[i];
    std::vector<int64_t> next;
    std::vector<int32_t> segments = {0}, indices;
    for (const int64_t place : places) {
      for (int32_t k = 0; k < size[d]; ++k) {
        if (listed && !next.empty() && !keep()) continue;
        next.push_back(place + k * step[d]);
        indices.push_back(k);
      }
      segments.push_back(static_cast<int32_t>(indices.size()));
    }
    places = std::move(next);
    auto level = std::make_unique<tflite::DimensionMetadataT>();
    level->format = listed ? tflite::DimensionType_SPARSE_CSR : tflite::DimensionType_DENSE;
    level->dense_size = listed ? 0 : size[d];
    if (listed) {
      SetNumbers(segments, form.small_numbers, level->array_segments);
      SetNumbers(indices, form.small_numbers, level->array_indices);
    }
    sparsity->dim_metadata.push_back(std::move(level));
  }
  tensor.sparsity = std::move(sparsity);
  std::vector<uint8_t>& bytes = b.model().buffers[tensor.buffer]->data;
  const bool bytewise =
      tensor.type == tflite::TensorType_INT8 || tensor.type == tflite::TensorType_UINT8;
  const bool halves =
      tensor.type == tflite::TensorType_FLOAT16 || tensor.type == tflite::TensorType_INT16;
  const int64_t element = bytewise ? 1 : halves ? 2 : 4;
  std::vector<uint8_t> stored;
  for (const int64_t place : places) {
    const auto from = bytes.begin() + static_cast<long>(place * element);
    stored.insert(stored.end(), from, from + static_cast<long>(element));
  }
  bytes = std::move(stored);
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_SPARSE_CONSTANT_H_
