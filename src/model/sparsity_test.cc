// SPDX-License-Identifier: Apache-2.0
// Sparse and quantized tensors: what is accepted, what is refused, what comes out.

#include "model/sparsity.h"

#include <functional>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "model/quantization.h"
#include "model/testing/model_builder.h"
#include "model/verify_model.h"

namespace tern {
namespace {

using testing::ModelBuilder;
using namespace tflite;  // NOLINT: the schema's names

std::unique_ptr<DimensionMetadataT> Dense(int size) {
  auto level = std::make_unique<DimensionMetadataT>();
  level->format = DimensionType_DENSE;
  level->dense_size = size;
  return level;
}

std::unique_ptr<DimensionMetadataT> Compressed(std::vector<int32_t> segments,
                                               std::vector<uint8_t> indices) {
  auto level = std::make_unique<DimensionMetadataT>();
  level->format = DimensionType_SPARSE_CSR;
  Int32VectorT s;
  s.values = std::move(segments);
  level->array_segments.Set(std::move(s));
  Uint8VectorT i;
  i.values = std::move(indices);
  level->array_indices.Set(std::move(i));
  return level;
}

// A 4 x 4 matrix; with blocks of 2 x 2 the outer levels count blocks.
std::unique_ptr<SparsityParametersT> Plain() {
  auto s = std::make_unique<SparsityParametersT>();
  s->traversal_order = {0, 1};
  s->dim_metadata.push_back(Dense(4));
  s->dim_metadata.push_back(Compressed({0, 1, 1, 3, 3}, {2, 0, 3}));
  return s;
}

std::unique_ptr<SparsityParametersT> Blocked() {
  auto s = std::make_unique<SparsityParametersT>();
  s->traversal_order = {0, 1, 2, 3};
  s->block_map = {0, 1};
  s->dim_metadata.push_back(Dense(2));
  s->dim_metadata.push_back(Compressed({0, 1, 2}, {1, 0}));
  s->dim_metadata.push_back(Dense(2));
  s->dim_metadata.push_back(Dense(2));
  return s;
}

std::vector<uint8_t> FileWith(std::unique_ptr<SparsityParametersT> sparsity, size_t bytes) {
  ModelBuilder b;
  const int w = b.ConstBytes({4, 4}, TensorType_INT8, std::vector<uint8_t>(bytes, 1));
  b.tensor(w).sparsity = std::move(sparsity);
  return b.Finish();
}

bool Passes(const std::function<std::unique_ptr<SparsityParametersT>()>& make,
            const std::function<void(SparsityParametersT&)>& change, size_t bytes) {
  auto sparsity = make();
  change(*sparsity);
  return VerifyModelFile(FileWith(std::move(sparsity), bytes)).ok();
}

TEST(SparsityTest, AcceptsPlainAndBlocked) {
  const auto nothing = [](SparsityParametersT&) {};
  EXPECT_TRUE(Passes(Plain, nothing, 3));
  EXPECT_FALSE(Passes(Plain, nothing, 2));
  EXPECT_TRUE(Passes(Blocked, nothing, 8));
  EXPECT_FALSE(Passes(Blocked, nothing, 7));
}

TEST(SparsityTest, RefusesInconsistentLevels) {
  const auto refused = [](const std::function<void(SparsityParametersT&)>& change) {
    return !Passes(Plain, change, 16);
  };
  const auto level = [](std::vector<int32_t> segments, std::vector<uint8_t> indices) {
    return [=](SparsityParametersT& s) { s.dim_metadata[1] = Compressed(segments, indices); };
  };
  EXPECT_TRUE(refused([](auto& s) { s.traversal_order = {0, 0}; }));
  EXPECT_TRUE(refused([](auto& s) { s.traversal_order = {0, 2}; }));
  EXPECT_TRUE(refused([](auto& s) { s.traversal_order = {0, -1}; }));
  EXPECT_TRUE(refused([](auto& s) { s.traversal_order = {0}; }));
  EXPECT_TRUE(refused([](auto& s) { s.dim_metadata.pop_back(); }));
  EXPECT_TRUE(refused([](auto& s) { s.dim_metadata[0]->dense_size = 5; }));
  EXPECT_TRUE(refused([](auto& s) { s.dim_metadata[1]->format = static_cast<DimensionType>(2); }));
  EXPECT_TRUE(refused([](auto& s) { s.dim_metadata[1]->array_segments.Reset(); }));
  EXPECT_TRUE(refused([](auto& s) { s.dim_metadata[1]->array_indices.Reset(); }));
  EXPECT_TRUE(refused(level({0, 1, 1, 3}, {2, 0, 3})));     // one segment too few
  EXPECT_TRUE(refused(level({0, 2, 1, 3, 3}, {2, 3, 0})));  // backwards
  EXPECT_TRUE(refused(level({1, 1, 1, 3, 3}, {2, 0, 3})));  // does not begin at 0
  EXPECT_TRUE(refused(level({0, 1, 1, 3, 4}, {2, 0, 3})));  // ends beyond the indices
  EXPECT_TRUE(refused(level({0, 1, 1, 3, 2}, {2, 0, 3})));
  EXPECT_TRUE(refused(level({0, 9, 1, 3, 3}, {2, 0, 3})));  // segment outside the indices
  EXPECT_TRUE(refused(level({0, -1, 1, 3, 3}, {2, 0, 3})));
  EXPECT_TRUE(refused(level({0, 1, 1, 3, 3}, {2, 0, 4})));  // index beyond the extent
  EXPECT_TRUE(refused(level({0, 1, 1, 3, 3}, {2, 3, 3})));  // index twice
}

TEST(SparsityTest, RefusesBadBlocks) {
  const auto refused = [](const std::function<void(SparsityParametersT&)>& change) {
    return !Passes(Blocked, change, 16);
  };
  EXPECT_TRUE(refused([](auto& s) { s.block_map = {0, 2}; }));
  EXPECT_TRUE(refused([](auto& s) { s.block_map = {0, -1}; }));
  EXPECT_TRUE(refused([](auto& s) { s.block_map = {0, 0}; }));
  EXPECT_TRUE(refused([](auto& s) { s.block_map = {0, 1, 1}; }));
  EXPECT_TRUE(refused([](auto& s) { s.dim_metadata[2]->dense_size = 0; }));
  EXPECT_TRUE(refused([](auto& s) { s.dim_metadata[2]->dense_size = 3; }));
  EXPECT_TRUE(refused([](auto& s) { s.dim_metadata[3] = Compressed({0, 1}, {0}); }));
  EXPECT_TRUE(refused([](auto& s) { s.traversal_order = {0, 2, 1, 3}; }));
}

TEST(SparsityTest, ReadsTheStruct) {
  const std::vector<uint8_t> bytes = FileWith(Blocked(), 8);
  StatusOr<TfLiteSparsity*> read =
      ReadSparsity(*GetModel(bytes.data())->subgraphs()->Get(0)->tensors()->Get(0));
  ASSERT_TRUE(read.ok()) << read.status();
  TfLiteSparsity* s = *read;
  EXPECT_EQ(s->traversal_order->size, 4);
  EXPECT_EQ(s->block_map->data[1], 1);
  ASSERT_EQ(s->dim_metadata_size, 4);
  EXPECT_EQ(s->dim_metadata[0].format, kTfLiteDimDense);
  EXPECT_EQ(s->dim_metadata[0].dense_size, 2);
  ASSERT_EQ(s->dim_metadata[1].format, kTfLiteDimSparseCSR);
  EXPECT_EQ(s->dim_metadata[1].array_segments->data[2], 2);
  EXPECT_EQ(s->dim_metadata[1].array_indices->data[0], 1);
  TfLiteSparsityFree(s);
}

TEST(SparsityTest, ConstantsMayListNoValues) {
  const auto nothing = [](SparsityParametersT& s) {
    s.dim_metadata[1] = Compressed({0, 0, 0, 0, 0}, {});
  };
  EXPECT_TRUE(Passes(Plain, nothing, 0));
  EXPECT_FALSE(Passes(
      Plain, [](SparsityParametersT&) {}, 0));
}

TEST(SparsityTest, OnlyConstantsMayBeSparse) {
  ModelBuilder b;
  b.tensor(b.Input({4, 4}, TensorType_INT8)).sparsity = Plain();
  EXPECT_FALSE(VerifyModelFile(b.Finish()).ok());
}

TEST(SparsityTest, RandomChangesNeverCrash) {
  std::mt19937 random(11);
  for (const auto& make : {Plain, Blocked}) {
    const std::vector<uint8_t> good = FileWith(make(), 8);
    for (int round = 0; round < 5000; ++round) {
      std::vector<uint8_t> bytes = good;
      for (int i = 0; i < 2; ++i) bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
      if (!VerifyModelFile(bytes).ok()) continue;
      const auto* subgraphs = GetModel(bytes.data())->subgraphs();
      if (subgraphs == nullptr || subgraphs->size() == 0) continue;
      const auto* tensors = subgraphs->Get(0)->tensors();
      if (tensors == nullptr || tensors->size() == 0) continue;
      StatusOr<TfLiteSparsity*> read = ReadSparsity(*tensors->Get(0));
      ASSERT_TRUE(read.ok());
      TfLiteSparsityFree(*read);
    }
  }
}

TEST(QuantizationTest, ReadsAffine) {
  ModelBuilder b;
  b.QuantizePerChannel(b.Input({2, 3}, TensorType_INT8), {0.5f, 1, 2}, {1, 2, 3}, 1);
  b.Quantize(b.Input({2}, TensorType_UINT8), 0.25f, 128);
  b.Input({2});
  const std::vector<uint8_t> bytes = b.Finish();
  const auto& tensors = *GetModel(bytes.data())->subgraphs()->Get(0)->tensors();
  TfLiteQuantization q = *ReadQuantization(*tensors.Get(0), 3);
  ASSERT_EQ(q.type, kTfLiteAffineQuantization);
  const auto& affine = *static_cast<TfLiteAffineQuantization*>(q.params);
  EXPECT_EQ(affine.scale->size, 3);
  EXPECT_EQ(affine.scale->data[2], 2.0f);
  EXPECT_EQ(affine.zero_point->data[1], 2);
  EXPECT_EQ(affine.quantized_dimension, 1);
  EXPECT_EQ(LegacyParams(q).scale, 0.0f);
  TfLiteQuantizationFree(&q);
  q = *ReadQuantization(*tensors.Get(1), 3);
  EXPECT_EQ(LegacyParams(q).scale, 0.25f);
  EXPECT_EQ(LegacyParams(q).zero_point, 128);
  TfLiteQuantizationFree(&q);
  EXPECT_EQ(ReadQuantization(*tensors.Get(2), 3)->type, kTfLiteNoQuantization);
}

TEST(QuantizationTest, ReadsMultiAxis) {
  ModelBuilder b;
  const int w = b.ConstBytes({2, 4}, TensorType_INT8, std::vector<uint8_t>(8));
  b.ConstHalf({2}, {1, 1});
  b.Quantize(w, 1, 0);
  MultiAxisQuantizationT details;
  details.scales = 1;
  details.zero_points = -1;
  details.quantized_dimensions = {0, 1};
  b.tensor(w).quantization->details.Set(details);
  const std::vector<uint8_t> bytes = b.Finish();
  ASSERT_TRUE(VerifyModelFile(bytes).ok());
  TfLiteQuantization q =
      *ReadQuantization(*GetModel(bytes.data())->subgraphs()->Get(0)->tensors()->Get(0), 2);
  ASSERT_EQ(q.type, kTfLiteMultiAxisQuantization);
  const auto& multi = *static_cast<TfLiteMultiAxisQuantization*>(q.params);
  EXPECT_EQ(multi.zero_points, -1);
  EXPECT_EQ(multi.quantized_dimensions->size, 2);
  TfLiteQuantizationFree(&q);
}

}  // namespace
}  // namespace tern
