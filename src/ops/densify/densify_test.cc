// SPDX-License-Identifier: Apache-2.0
// DENSIFY alone, and sparse constants in models on the CPU and on the GPU engines.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "ops/cpu_registry.h"
#include "ops/testing/check_model.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/same_bytes.h"
#include "ops/testing/sparse_constant.h"

namespace tern::testing {
namespace {

// [2, 3]: rows dense, columns listed: (0, 1), (1, 0), (1, 2).
class Sparsity {
 public:
  Sparsity() {
    order_ = TfLiteIntArrayCreate(2);
    order_->data[0] = 0;
    order_->data[1] = 1;
    segments_ = TfLiteIntArrayCreate(3);
    indices_ = TfLiteIntArrayCreate(3);
    for (int i = 0; i < 3; ++i) {
      segments_->data[i] = i == 2 ? 3 : i;
      indices_->data[i] = i == 0 ? 1 : i == 1 ? 0 : 2;
    }
    levels_[0] = {kTfLiteDimDense, 2, nullptr, nullptr};
    levels_[1] = {kTfLiteDimSparseCSR, 0, segments_, indices_};
    sparsity_ = {order_, nullptr, levels_, 2};
  }
  ~Sparsity() {
    TfLiteIntArrayFree(order_);
    TfLiteIntArrayFree(segments_);
    TfLiteIntArrayFree(indices_);
  }
  Sparsity(const Sparsity&) = delete;
  Sparsity& operator=(const Sparsity&) = delete;
  TfLiteSparsity* get() { return &sparsity_; }
  TfLiteIntArray* indices() { return indices_; }

 private:
  TfLiteIntArray *order_, *segments_, *indices_;
  TfLiteDimensionMetadata levels_[2];
  TfLiteSparsity sparsity_{};
};

template <class T>
void CheckType(TfLiteType type) {
  Sparsity sparsity;
  for (const Way& way : kWays) {
    OpRunner run(DensifyRegistration(way.form));
    run.InputAs<T>(type, {2, 3}, {5, 6, 7}, kTfLiteMmapRo);
    run.input(0).sparsity = sparsity.get();
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<T>(), (std::vector<T>{0, 5, 0, 6, 0, 7}));
  }
}

TEST(Densify, Types) {
  CheckType<float>(kTfLiteFloat32);
  CheckType<uint16_t>(kTfLiteFloat16);
  CheckType<int8_t>(kTfLiteInt8);
  CheckType<int32_t>(kTfLiteInt32);
}

TEST(Densify, DenseConstantsAreCopied) {
  OpRunner run(DensifyRegistration(OpForm::kOptimized));
  run.Input<float>({3}, {5, 6, 7}, kTfLiteMmapRo);
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(), (std::vector<float>{5, 6, 7}));
}

TEST(Densify, BadOperandsAreErrors) {
  Sparsity sparsity;
  const auto error = [&](std::vector<int> shape, size_t stored, TfLiteAllocationType where,
                         TfLiteType output) {
    OpRunner run(DensifyRegistration(OpForm::kOptimized));
    run.Input(shape, std::vector<float>(stored), where);
    run.input(0).sparsity = sparsity.get();
    run.Output(output);
    EXPECT_EQ(run.Run(), kTfLiteError);
    return run.error();
  };
  EXPECT_NE(error({2, 3}, 3, kTfLiteArenaRw, kTfLiteFloat32), "");  // not a constant
  EXPECT_NE(error({2, 3}, 3, kTfLiteMmapRo, kTfLiteInt32), "");     // another type
  EXPECT_NE(error({2, 3}, 2, kTfLiteMmapRo, kTfLiteFloat32), "");   // too few elements
  EXPECT_NE(error({3, 3}, 3, kTfLiteMmapRo, kTfLiteFloat32), "");   // another shape
  EXPECT_NE(error({6}, 3, kTfLiteMmapRo, kTfLiteFloat32), "");      // another rank
  sparsity.indices()->data[2] = 3;
  EXPECT_NE(error({2, 3}, 3, kTfLiteMmapRo, kTfLiteFloat32), "");  // an index out of range
}

// x + a sparse constant, directly or through DENSIFY.
std::vector<uint8_t> Model(bool densify) {
  ModelBuilder b;
  const int x = b.Input({2, 3});
  const int sparse = b.Const<float>({2, 3}, {5, 6, 7, 0, 0, 0});
  int dense = sparse;
  if (densify) dense = b.Op(tflite::BuiltinOperator_DENSIFY, {sparse}, {b.Tensor({2, 3})});
  b.Output(
      b.Op(tflite::BuiltinOperator_ADD, {x, dense}, {b.Tensor({2, 3})}, tflite::AddOptionsT()));
  tflite::TensorT& tensor = b.tensor(sparse);
  tensor.sparsity = std::make_unique<tflite::SparsityParametersT>();
  tensor.sparsity->traversal_order = {0, 1};
  auto rows = std::make_unique<tflite::DimensionMetadataT>();
  rows->format = tflite::DimensionType_DENSE;
  rows->dense_size = 2;
  auto columns = std::make_unique<tflite::DimensionMetadataT>();
  columns->format = tflite::DimensionType_SPARSE_CSR;
  tflite::Int32VectorT segments, indices;
  segments.values = {0, 1, 3};
  indices.values = {1, 0, 2};
  columns->array_segments.Set(std::move(segments));
  columns->array_indices.Set(std::move(indices));
  tensor.sparsity->dim_metadata.push_back(std::move(rows));
  tensor.sparsity->dim_metadata.push_back(std::move(columns));
  tflite::ModelT model;
  const std::vector<uint8_t> padded = b.Finish();
  tflite::GetModel(padded.data())->UnPackTo(&model);
  const tflite::TensorT& stored = *model.subgraphs[0]->tensors[sparse];
  model.buffers[stored.buffer]->data.resize(3 * sizeof(float));
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(tflite::Model::Pack(builder, &model), tflite::ModelIdentifier());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

TEST(Densify, ConstantsOfTheGpuAreDense) {
  const std::vector<float> in = {1, 2, 3, 4, 5, 6}, want = {1, 7, 3, 10, 5, 13};
  std::vector<uint8_t> bytes(in.size() * sizeof(float));
  std::memcpy(bytes.data(), in.data(), bytes.size());
  std::vector<Engine> engines = DriverEngines();
  engines.insert(engines.end(), CpuEngines().begin(), CpuEngines().end());
  for (const Engine& engine : engines) {
    for (const bool densify : {true, false}) {
      // On the CPU an op that takes dense operands reads only what DENSIFY makes.
      if (!densify && !engine.on_gpu()) continue;
      const RunResult result = RunModel(Model(densify), {bytes}, engine);
      ASSERT_EQ(result.error, "") << engine.name;
      EXPECT_EQ(result.outputs[0].floats(), want) << engine.name;
    }
  }
}

// The densified tensor is an output of the graph; if it is quantized INT8, it is the weights of a
// node, too.
TEST(Densify, ElementsAtTheEdgeOfTheGpu) {
  for (const tflite::TensorType type :
       {tflite::TensorType_INT8, tflite::TensorType_UINT8, tflite::TensorType_INT16}) {
    for (const bool scaled : {false, true}) {
      std::vector<uint8_t> bytes(type == tflite::TensorType_INT16 ? 30 : 15);
      for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 83 + 90);
      ModelBuilder b;
      const int x = b.Input({2, 5}), sparse = b.ConstBytes({3, 5}, type, bytes);
      const int dense = b.Tensor({3, 5}, type);
      if (scaled) b.Quantize(sparse, 0.5f, 0), b.Quantize(dense, 0.5f, 0);
      size_t turn = 0;
      MakeSparse(b, sparse, {.order = {0, 1}, .blocks = {}, .listed = {false, true}},
                 [&turn] { return ++turn % 3 != 0; });
      b.Output(b.Op(tflite::BuiltinOperator_DENSIFY, {sparse}, {dense}));
      b.Output(b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor({2, 5})}));
      if (scaled && type == tflite::TensorType_INT8) {
        const int q = b.Quantize(b.Input({2, 5}, type), 0.25f, 1);
        b.Output(b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {q, dense, -1},
                      {b.Quantize(b.Tensor({2, 3}, type), 8.0f, 0)},
                      tflite::FullyConnectedOptionsT()));
      }
      std::vector<std::vector<uint8_t>> inputs = {BytesOf(std::vector<float>(10, -1.5f))};
      if (b.subgraph().inputs.size() == 2) inputs.push_back(BytesOf(std::vector<int8_t>(10, 99)));
      CheckSameBytes(StrCat("type ", type, scaled ? ", scaled" : ""), b, inputs, true);
    }
  }
}

// A list of values may be empty.
TEST(Densify, ConstantsOfZeros) {
  ModelBuilder b;
  const int x = b.Input({2, 3});
  const int weights = b.Const<float>({2, 3}, {});
  const int bias = b.Const<float>({2}, {3, 4});
  auto sparsity = std::make_unique<tflite::SparsityParametersT>();
  sparsity->traversal_order = {0, 1};
  for (const bool listed : {false, true}) {
    auto level = std::make_unique<tflite::DimensionMetadataT>();
    level->format = listed ? tflite::DimensionType_SPARSE_CSR : tflite::DimensionType_DENSE;
    level->dense_size = listed ? 0 : 2;
    if (listed) {
      tflite::Int32VectorT segments;
      segments.values = {0, 0, 0};
      level->array_segments.Set(std::move(segments));
      level->array_indices.Set(tflite::Int32VectorT());
    }
    sparsity->dim_metadata.push_back(std::move(level));
  }
  b.tensor(weights).sparsity = std::move(sparsity);
  b.Output(b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, weights, bias}, {b.Tensor({2, 2})},
                tflite::FullyConnectedOptionsT()));
  b.Output(b.Op(tflite::BuiltinOperator_DENSIFY, {weights}, {b.Tensor({2, 3})}));
  std::vector<Engine> engines = DriverEngines();
  engines.insert(engines.end(), CpuEngines().begin(), CpuEngines().end());
  for (const Engine& engine : engines) {
    const RunResult result =
        RunModel(b.Finish(), {std::vector<uint8_t>(6 * sizeof(float), 0)}, engine);
    ASSERT_EQ(result.error, "") << engine.name;
    EXPECT_EQ(result.outputs[0].floats(), (std::vector<float>{3, 4, 3, 4})) << engine.name;
    EXPECT_EQ(result.outputs[1].floats(), std::vector<float>(6, 0)) << engine.name;
  }
}

}  // namespace
}  // namespace tern::testing
