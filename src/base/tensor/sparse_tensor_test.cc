// SPDX-License-Identifier: Apache-2.0
#include "base/tensor/sparse_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern {
namespace {

TEST(SparseTensor, HugeShapesAreRefusedBeforeMemoryIsTaken) {
  TfLiteIntArray* dims = TfLiteIntArrayCreate(2);
  TfLiteSparsity sparsity{};
  TfLiteTensor tensor{};
  tensor.dims = dims;
  tensor.sparsity = &sparsity;
  dims->data[0] = 1;
  dims->data[1] = (1 << 28) + 1;
  const StatusOr<std::vector<float>> large = DenseElements<float>(&tensor, "weights");
  ASSERT_FALSE(large.ok());
  EXPECT_NE(std::string(large.status().message())
                .find("weights is too large for a sparse constant (268435457 elements, limit "
                      "268435456)"),
            std::string::npos)
      << large.status().message();
  dims->data[0] = 4;
  EXPECT_FALSE(DenseElements<int8_t>(&tensor, "weights").ok());
  TfLiteIntArrayFree(dims);
}

// A sparse tensor over lists of the test.
struct SparseCase {
  SparseCase(const std::vector<int>& shape, const std::vector<int>& order,
             const std::vector<int>& blocks, std::vector<TfLiteDimensionMetadata> rows)
      : dims(List(shape)), traversal(List(order)), map(List(blocks)), levels(std::move(rows)) {
    sparsity.traversal_order = traversal.get();
    sparsity.block_map = map.get();
    sparsity.dim_metadata = levels.data();
    sparsity.dim_metadata_size = static_cast<int>(levels.size());
    tensor.dims = dims.get();
    tensor.sparsity = &sparsity;
  }

  using ListPtr = std::unique_ptr<TfLiteIntArray, void (*)(TfLiteIntArray*)>;
  static ListPtr List(const std::vector<int>& values) {
    ListPtr list(TfLiteIntArrayCreate(static_cast<int>(values.size())), TfLiteIntArrayFree);
    std::copy(values.begin(), values.end(), list->data);
    return list;
  }
  static TfLiteDimensionMetadata Dense(int size) {
    return {kTfLiteDimDense, size, nullptr, nullptr};
  }

  // How many elements are visited of `stored`, or what is wrong.
  std::string Walked(int64_t stored) {
    int64_t visits = 0;
    const Status status = WalkStored(&tensor, stored, [&](int64_t, int64_t) { ++visits; });
    return status.ok() ? std::to_string(visits) : std::string(status.message());
  }

  ListPtr dims, traversal, map;
  std::vector<TfLiteDimensionMetadata> levels;
  TfLiteSparsity sparsity{};
  TfLiteTensor tensor{};
};

TEST(SparseTensor, AsManyBlocksAsAxesAtMost) {
  constexpr auto kDense = SparseCase::Dense;
  EXPECT_EQ(SparseCase({2}, {0, 1}, {0}, {kDense(1), kDense(2)}).Walked(2), "2");
  EXPECT_EQ(SparseCase({2}, {0, 1, 2}, {0, 0}, {kDense(2), kDense(1), kDense(1)}).Walked(2),
            "sparsity has too many blocks (2, 1)");
  // Deeper than any stack, were it walked.
  constexpr int kMany = 1 << 20;
  std::vector<int> order(kMany + 1);
  std::iota(order.begin(), order.end(), 0);
  std::vector<TfLiteDimensionMetadata> levels(order.size(), kDense(1));
  EXPECT_EQ(SparseCase({1}, order, std::vector<int>(kMany, 0), levels).Walked(1),
            "sparsity has too many blocks (1048576, 1)");
}

// Ends at once, although the outer level names 2^31 - 1 positions.
TEST(SparseTensor, EmptyLevelsHoldNothing) {
  SparseCase c({INT32_MAX, 0}, {0, 1}, {},
               {SparseCase::Dense(INT32_MAX), {kTfLiteDimSparseCSR, 0, nullptr, nullptr}});
  EXPECT_EQ(c.Walked(0), "0");
}

TEST(SparseTensor, ListsThatAreTooShort) {
  EXPECT_EQ(SparseCase({2, 3}, {0}, {}, {SparseCase::Dense(2)}).Walked(6),
            "sparsity needs 2 levels (order 1, metadata 1)");
  const SparseCase::ListPtr segments = SparseCase::List({0}), indices = SparseCase::List({});
  SparseCase c({2}, {0}, {}, {{kTfLiteDimSparseCSR, 0, segments.get(), indices.get()}});
  EXPECT_EQ(c.Walked(1), "sparsity has too few segments (1, 2)");
}

}  // namespace
}  // namespace tern
