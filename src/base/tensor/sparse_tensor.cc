// SPDX-License-Identifier: Apache-2.0
// The levels of a sparse tensor lie in its traversal order: a dense level repeats each element of
// the level above; a compressed one lists, for each of them, which positions exist.
#include "base/tensor/sparse_tensor.h"

namespace tern {
namespace {

int SizeOf(const TfLiteIntArray* list) { return list == nullptr ? 0 : list->size; }

class Walk {
 public:
  Walk(const TfLiteTensor* t, int64_t stored,
       const std::function<void(int64_t from, int64_t to)>& visit)
      : t_(t), sparsity_(*t->sparsity), stored_(stored), visit_(visit) {}

  Status Run() {
    TERN_RETURN_IF_ERROR(ReadLevels());
    // Nothing is stored; dense levels above an empty one would be walked for nothing.
    for (const Level& level : levels_) {
      if (level.size == 0) return OkStatus();
    }
    return Visit(0, 0, 0);
  }

 private:
  struct Level {
    int64_t size;  // positions along the level
    int64_t step;  // in the dense tensor, of one position
    const TfLiteDimensionMetadata* data;
  };

  // Which axis each level walks, and how far one step of it goes.
  Status ReadLevels() {
    const Shape shape = ShapeOf(t_);
    const int rank = static_cast<int>(shape.size()), blocks = SizeOf(sparsity_.block_map);
    // An axis has one block at most. Without this, blocks of size 1 would make any number of
    // levels, and Visit goes as deep as there are levels.
    if (blocks > rank) return Invalid("sparsity has too many blocks (", blocks, ", ", rank, ")");
    const int levels = rank + blocks;
    if (SizeOf(sparsity_.traversal_order) != levels || sparsity_.dim_metadata_size != levels ||
        sparsity_.dim_metadata == nullptr) {
      return Invalid("sparsity needs ", levels, " levels (order ",
                     SizeOf(sparsity_.traversal_order), ", metadata ",
                     sparsity_.dim_metadata == nullptr ? 0 : sparsity_.dim_metadata_size, ")");
    }
    const Shape strides = DenseStrides(shape);
    Shape block(static_cast<size_t>(rank), 1);  // by axis
    std::vector<int> seen(static_cast<size_t>(levels), 0);
    levels_.resize(static_cast<size_t>(levels));
    for (int i = levels - 1; i >= 0; --i) {
      const int dimension = sparsity_.traversal_order->data[i];
      if (dimension < (i < rank ? 0 : rank) || dimension >= (i < rank ? rank : levels) ||
          seen[dimension]++ != 0) {
        return Invalid("the order of sparsity levels is no permutation (", dimension, ")");
      }
      Level& level = levels_[i];
      level.data = &sparsity_.dim_metadata[i];
      if (i >= rank) {
        const int axis = sparsity_.block_map->data[dimension - rank];
        const int size = level.data->dense_size;
        if (axis < 0 || axis >= rank || block[axis] != 1 || size <= 0 || shape[axis] % size != 0 ||
            level.data->format != kTfLiteDimDense) {
          return Invalid("sparsity has a bad block (axis ", axis, ", size ", size, ")");
        }
        block[axis] = size;
        level.size = size;
        level.step = strides[axis];
      } else {
        level.size = shape[dimension] / block[dimension];
        level.step = strides[dimension] * block[dimension];
      }
    }
    return OkStatus();
  }

  // Level `i` below element `parent` of the level above, which lies at `at`.
  Status Visit(size_t i, int64_t parent, int64_t at) {
    if (i == levels_.size()) {
      if (parent >= stored_) return Invalid("sparsity has more elements than data (", stored_, ")");
      visit_(parent, at);
      return OkStatus();
    }
    const Level& level = levels_[i];
    if (level.data->format == kTfLiteDimDense) {
      if (level.data->dense_size != level.size) {
        return Invalid("sparsity has a level of ", level.data->dense_size, " for ", level.size);
      }
      for (int64_t k = 0; k < level.size; ++k) {
        TERN_RETURN_IF_ERROR(Visit(i + 1, parent * level.size + k, at + k * level.step));
      }
      return OkStatus();
    }
    const TfLiteIntArray* segments = level.data->array_segments;
    const TfLiteIntArray* indices = level.data->array_indices;
    if (parent + 1 >= SizeOf(segments)) {
      return Invalid("sparsity has too few segments (", SizeOf(segments), ", ", parent + 2, ")");
    }
    const int64_t begin = segments->data[parent], end = segments->data[parent + 1];
    if (begin < 0 || end < begin || end > SizeOf(indices)) {
      return Invalid("a sparsity segment is out of range (", begin, ", ", end, ")");
    }
    for (int64_t k = begin; k < end; ++k) {
      const int64_t index = indices->data[k];
      if (index < 0 || index >= level.size) {
        return Invalid("a sparsity index is out of range (", index, ", ", level.size, ")");
      }
      TERN_RETURN_IF_ERROR(Visit(i + 1, k, at + index * level.step));
    }
    return OkStatus();
  }

  const TfLiteTensor* t_;
  const TfLiteSparsity& sparsity_;
  int64_t stored_;
  const std::function<void(int64_t from, int64_t to)>& visit_;
  std::vector<Level> levels_;
};

}  // namespace

Status WalkStored(const TfLiteTensor* t, int64_t stored,
                  const std::function<void(int64_t from, int64_t to)>& visit) {
  return Walk(t, stored, visit).Run();
}

}  // namespace tern
