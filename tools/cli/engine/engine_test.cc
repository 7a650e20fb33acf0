// SPDX-License-Identifier: Apache-2.0
// Engines on models that give them little to do: constants among the inputs, shapes that depend on
// data.
#include "cli/engine/engine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "cli/inputs/fill.h"
#include "flatbuffers/flatbuffers.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::cli {
namespace {

std::unique_ptr<tflite::TensorT> Tensor(const char* name, tflite::TensorType type,
                                        std::vector<int> shape) {
  auto tensor = std::make_unique<tflite::TensorT>();
  tensor->name = name;
  tensor->type = type;
  tensor->shape = std::move(shape);
  return tensor;
}

// y = PAD(x, paddings), where both operands are inputs of the model; the paddings (1, 1) may be a
// constant nevertheless. Returns the file.
std::string PadModel(const std::string& name, bool constant_paddings) {
  tflite::ModelT model;
  model.version = 3;
  model.buffers.push_back(std::make_unique<tflite::BufferT>());
  model.operator_codes.push_back(std::make_unique<tflite::OperatorCodeT>());
  model.operator_codes[0]->builtin_code = tflite::BuiltinOperator_PAD;
  model.operator_codes[0]->deprecated_builtin_code = tflite::BuiltinOperator_PAD;
  auto graph = std::make_unique<tflite::SubGraphT>();
  graph->tensors.push_back(Tensor("x", tflite::TensorType_FLOAT32, {3}));
  graph->tensors.push_back(Tensor("paddings", tflite::TensorType_INT32, {1, 2}));
  graph->tensors.push_back(Tensor("y", tflite::TensorType_FLOAT32, {5}));
  if (constant_paddings) {
    const int32_t paddings[] = {1, 1};
    model.buffers.push_back(std::make_unique<tflite::BufferT>());
    model.buffers[1]->data.resize(sizeof(paddings));
    std::memcpy(model.buffers[1]->data.data(), paddings, sizeof(paddings));
    graph->tensors[1]->buffer = 1;
  }
  auto op = std::make_unique<tflite::OperatorT>();
  op->inputs = {0, 1};
  op->outputs = {2};
  graph->operators.push_back(std::move(op));
  graph->inputs = {0, 1};
  graph->outputs = {2};
  model.subgraphs.push_back(std::move(graph));
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model));
  const std::string file = (std::filesystem::path(::testing::TempDir()) / name).string();
  EXPECT_TRUE(WriteFile(file, builder.GetBufferPointer(), builder.GetSize()).ok());
  return file;
}

TEST(EngineTest, ConstantsAmongTheInputsKeepTheirElements) {
  auto engine = Engine::Open(PadModel("constant_input.tflite", true), {});
  ASSERT_TRUE(engine.ok()) << engine.status();
  ASSERT_TRUE((*engine)->Prepare().ok());
  const absl::Status refused = (*engine)->SetInput(1, Bytes(8));
  EXPECT_EQ(refused.message(), "input 1: a constant of the model");
  ASSERT_TRUE((*engine)->FillInput(0).ok());
  ASSERT_TRUE((*engine)->FillInput(1).ok());
  ASSERT_TRUE((*engine)->Invoke().ok());
  EXPECT_EQ((*engine)->output(0)->bytes, 5 * sizeof(float));
}

TEST(EngineTest, AGraphThatDoesNotFitTheDelegateIsReportedAsSuch) {
  EngineOptions options;
  options.engine = "null:adreno";
  const std::string file = PadModel("computed_shape.tflite", false);
  auto strict = Engine::Open(file, options);
  ASSERT_TRUE(strict.ok()) << strict.status();
  EXPECT_EQ((*strict)->Prepare().message(),
            "null:adreno: the delegate was not applied: the shape of tensor 'y' is known only when "
            "the model runs");
  options.allow_fallback = true;
  auto engine = Engine::Open(file, options);
  ASSERT_TRUE(engine.ok()) << engine.status();
  ASSERT_TRUE((*engine)->Prepare().ok());
  const Report report = (*engine)->MakeReport();
  EXPECT_EQ(report.nodes, 1);
  EXPECT_EQ(report.delegated, 0);
  EXPECT_EQ(report.not_applied, "the shape of tensor 'y' is known only when the model runs");
}

}  // namespace
}  // namespace tern::cli
