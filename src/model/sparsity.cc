// SPDX-License-Identifier: Apache-2.0
// Sparse tensors are stored level by level in traversal order: a dense level repeats every element
// of the level above `size` times; a compressed level lists, per element above, the positions that
// exist.

#include "model/sparsity.h"

#include <cstdlib>
#include <vector>

#include "model/tensor_data.h"
#include "model/vectors.h"

namespace tern {
namespace {

using tflite::SparseIndexVector;

// One of the three index vector types, read alike.
class IndexList {
 public:
  IndexList(SparseIndexVector type, const void* table) : type_(type) {
    if (table == nullptr) return;
    switch (type) {
      case tflite::SparseIndexVector_Int32Vector:
        int32_ = static_cast<const tflite::Int32Vector*>(table)->values();
        size_ = SizeOf(int32_);
        break;
      case tflite::SparseIndexVector_Uint16Vector:
        uint16_ = static_cast<const tflite::Uint16Vector*>(table)->values();
        size_ = SizeOf(uint16_);
        break;
      case tflite::SparseIndexVector_Uint8Vector:
        uint8_ = static_cast<const tflite::Uint8Vector*>(table)->values();
        size_ = SizeOf(uint8_);
        break;
      default:
        break;
    }
  }

  uint32_t size() const { return size_; }
  int32_t at(uint32_t i) const {
    switch (type_) {
      case tflite::SparseIndexVector_Int32Vector:
        return int32_->Get(i);
      case tflite::SparseIndexVector_Uint16Vector:
        return uint16_->Get(i);
      default:
        return uint8_->Get(i);
    }
  }

 private:
  SparseIndexVector type_;
  uint32_t size_ = 0;
  const flatbuffers::Vector<int32_t>* int32_ = nullptr;
  const flatbuffers::Vector<uint16_t>* uint16_ = nullptr;
  const flatbuffers::Vector<uint8_t>* uint8_ = nullptr;
};

IndexList Segments(const tflite::DimensionMetadata& level) {
  return IndexList(level.array_segments_type(), level.array_segments());
}

IndexList Indices(const tflite::DimensionMetadata& level) {
  return IndexList(level.array_indices_type(), level.array_indices());
}

// Order: the tensor's own dimensions first, then the block dimensions, each once.
Status CheckOrder(const tflite::SparsityParameters& sparsity, uint32_t rank, uint32_t blocks) {
  const uint32_t levels = rank + blocks;
  if (rank == 0) return Invalid("a scalar cannot be sparse");
  if (SizeOf(sparsity.traversal_order()) != levels || SizeOf(sparsity.dim_metadata()) != levels) {
    return Invalid("sparsity needs ", levels, " levels (order ", SizeOf(sparsity.traversal_order()),
                   ", metadata ", SizeOf(sparsity.dim_metadata()), ")");
  }
  std::vector<bool> seen(levels, false);
  for (uint32_t i = 0; i < levels; ++i) {
    const int64_t dimension = sparsity.traversal_order()->Get(i);
    const int64_t low = i < rank ? 0 : rank;
    const int64_t high = i < rank ? rank : levels;
    if (dimension < low || dimension >= high || seen[dimension]) {
      return Invalid("sparsity traversal order is not a permutation (", dimension, ")");
    }
    seen[dimension] = true;
  }
  return OkStatus();
}

// The extent of every dimension, blocked ones divided by their block size, block dimensions at the
// end.
StatusOr<std::vector<int32_t>> Extents(const tflite::Tensor& tensor) {
  const tflite::SparsityParameters& sparsity = *tensor.sparsity();
  const uint32_t rank = SizeOf(tensor.shape());
  const uint32_t blocks = SizeOf(sparsity.block_map());
  std::vector<int32_t> extents;
  for (uint32_t i = 0; i < rank; ++i) extents.push_back(tensor.shape()->Get(i));
  extents.resize(rank + blocks);
  for (uint32_t i = rank; i < rank + blocks; ++i) {
    const int32_t block_dimension = sparsity.traversal_order()->Get(i);
    const tflite::DimensionMetadata* level = sparsity.dim_metadata()->Get(i);
    const int64_t blocked = sparsity.block_map()->Get(block_dimension - rank);
    if (blocked < 0 || blocked >= rank) {
      return Invalid("sparsity block map is out of range (", blocked, ", ", rank, ")");
    }
    const int32_t size = level->dense_size();
    if (level->format() != tflite::DimensionType_DENSE || size <= 0 ||
        extents[blocked] % size != 0) {
      return Invalid("sparsity block size does not divide the dimension (", size, ", ",
                     extents[blocked], ")");
    }
    extents[blocked] /= size;
    extents[block_dimension] = size;
  }
  return extents;
}

// Returns how many elements a compressed level has below `parents` elements of the level above.
StatusOr<int64_t> CheckCompressed(const tflite::DimensionMetadata& level, int64_t parents,
                                  int32_t extent) {
  const IndexList segments = Segments(level);
  const IndexList indices = Indices(level);
  if (segments.size() != parents + 1) {
    return Invalid("sparsity has ", segments.size(), " segments (", parents + 1, " needed)");
  }
  if (segments.at(0) != 0 || segments.at(segments.size() - 1) != int64_t{indices.size()}) {
    return Invalid("sparsity segments do not cover the ", indices.size(), " indices");
  }
  for (uint32_t i = 0; i + 1 < segments.size(); ++i) {
    const int64_t begin = segments.at(i);
    const int64_t end = segments.at(i + 1);
    if (begin > end || end > indices.size()) {
      return Invalid("sparsity segments go backwards (", begin, ", ", end, ")");
    }
    int32_t previous = -1;
    for (int64_t j = begin; j < end; ++j) {
      const int32_t index = indices.at(static_cast<uint32_t>(j));
      if (index <= previous || index >= extent) {
        return Invalid("sparsity index is out of order or range (", index, ", ", extent, ")");
      }
      previous = index;
    }
  }
  return int64_t{indices.size()};
}

TfLiteIntArray* CopyList(const IndexList& list) {
  TfLiteIntArray* copy = TfLiteIntArrayCreate(static_cast<int>(list.size()));
  if (copy == nullptr) return nullptr;
  for (uint32_t i = 0; i < list.size(); ++i) copy->data[i] = list.at(i);
  return copy;
}

TfLiteIntArray* CopyVector(const flatbuffers::Vector<int32_t>& vector) {
  TfLiteIntArray* copy = TfLiteIntArrayCreate(static_cast<int>(vector.size()));
  if (copy == nullptr) return nullptr;
  for (uint32_t i = 0; i < vector.size(); ++i) copy->data[i] = vector.Get(i);
  return copy;
}

// False when memory ran out.
bool FillSparsity(const tflite::SparsityParameters& from, TfLiteSparsity* to) {
  to->traversal_order = CopyVector(*from.traversal_order());
  if (to->traversal_order == nullptr) return false;
  if (from.block_map() != nullptr) {
    to->block_map = CopyVector(*from.block_map());
    if (to->block_map == nullptr) return false;
  }
  const uint32_t levels = SizeOf(from.dim_metadata());
  to->dim_metadata =
      static_cast<TfLiteDimensionMetadata*>(std::calloc(levels + 1, sizeof(*to->dim_metadata)));
  if (to->dim_metadata == nullptr) return false;
  to->dim_metadata_size = static_cast<int>(levels);
  for (uint32_t i = 0; i < levels; ++i) {
    const tflite::DimensionMetadata& level = *from.dim_metadata()->Get(i);
    TfLiteDimensionMetadata& out = to->dim_metadata[i];
    if (level.format() == tflite::DimensionType_DENSE) {
      out.format = kTfLiteDimDense;
      out.dense_size = level.dense_size();
      continue;
    }
    out.format = kTfLiteDimSparseCSR;
    out.array_segments = CopyList(Segments(level));
    out.array_indices = CopyList(Indices(level));
    if (out.array_segments == nullptr || out.array_indices == nullptr) return false;
  }
  return true;
}

}  // namespace

StatusOr<int64_t> CheckSparsity(const tflite::Tensor& tensor) {
  const tflite::SparsityParameters& sparsity = *tensor.sparsity();
  TERN_RETURN_IF_ERROR(ElementCount(tensor.shape()).status());
  const uint32_t rank = SizeOf(tensor.shape());
  const uint32_t blocks = SizeOf(sparsity.block_map());
  if (blocks > rank) return Invalid("sparsity has more blocks than dimensions (", blocks, ")");
  TERN_RETURN_IF_ERROR(CheckOrder(sparsity, rank, blocks));
  TERN_ASSIGN_OR_RETURN(const std::vector<int32_t> extents, Extents(tensor));
  int64_t elements = 1;
  for (uint32_t i = 0; i < rank + blocks; ++i) {
    const tflite::DimensionMetadata& level = *sparsity.dim_metadata()->Get(i);
    const int32_t extent = extents[sparsity.traversal_order()->Get(i)];
    if (level.format() == tflite::DimensionType_DENSE) {
      if (level.dense_size() != extent) {
        return Invalid("sparsity dense size differs from the dimension (", level.dense_size(), ", ",
                       extent, ")");
      }
      elements *= extent;
      if (elements > INT32_MAX)
        return TooLarge("too many elements (", elements, ", ", INT32_MAX, ")");
      continue;
    }
    if (level.format() != tflite::DimensionType_SPARSE_CSR) {
      return Invalid("unknown sparsity format (", static_cast<int>(level.format()), ")");
    }
    TERN_ASSIGN_OR_RETURN(elements, CheckCompressed(level, elements, extent));
  }
  return elements;
}

StatusOr<TfLiteSparsity*> ReadSparsity(const tflite::Tensor& tensor) {
  if (tensor.sparsity() == nullptr) return nullptr;
  TERN_RETURN_IF_ERROR(CheckSparsity(tensor).status());
  auto* sparsity = static_cast<TfLiteSparsity*>(std::calloc(1, sizeof(TfLiteSparsity)));
  if (sparsity == nullptr) return TooLarge("no memory for sparsity parameters");
  if (!FillSparsity(*tensor.sparsity(), sparsity)) {
    TfLiteSparsityFree(sparsity);
    return TooLarge("no memory for sparsity parameters");
  }
  return sparsity;
}

}  // namespace tern
