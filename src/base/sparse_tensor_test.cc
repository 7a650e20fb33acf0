// SPDX-License-Identifier: Apache-2.0
#include "base/sparse_tensor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
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

}  // namespace
}  // namespace tern
