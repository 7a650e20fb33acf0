// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include <memory>
#include <utility>

#include "ops/testing/example.h"

namespace tern::testing {
namespace {

// A row with one of its two elements.
void MakeSparse(ModelBuilder& b, tflite::TensorType) {
  auto sparsity = std::make_unique<tflite::SparsityParametersT>();
  sparsity->traversal_order = {0, 1};
  auto rows = std::make_unique<tflite::DimensionMetadataT>();
  rows->format = tflite::DimensionType_DENSE;
  rows->dense_size = 1;
  auto columns = std::make_unique<tflite::DimensionMetadataT>();
  columns->format = tflite::DimensionType_SPARSE_CSR;
  tflite::Int32VectorT segments, indices;
  segments.values = {0, 1};
  indices.values = {1};
  columns->array_segments.Set(std::move(segments));
  columns->array_indices.Set(std::move(indices));
  sparsity->dim_metadata.push_back(std::move(rows));
  sparsity->dim_metadata.push_back(std::move(columns));
  tflite::TensorT& constant = b.tensor(b.op().inputs[0]);
  constant.shape = {1, 2};
  constant.sparsity = std::move(sparsity);
}

const Examples kDensifyExamples({{"DENSIFY", "T=1(1) -> T", MakeSparse}});

}  // namespace
}  // namespace tern::testing
