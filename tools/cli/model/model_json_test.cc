// SPDX-License-Identifier: Apache-2.0
// Models with what the demo's lacks: several graphs, custom operators, quantization, wrong indices.
#include "cli/model/model_json.h"

#include <gtest/gtest.h>

#include <memory>

#include "flatbuffers/flexbuffers.h"

namespace tern::cli {
namespace {

using Json = nlohmann::ordered_json;

void AddCode(tflite::ModelT* model, tflite::BuiltinOperator builtin, const char* custom = "") {
  auto code = std::make_unique<tflite::OperatorCodeT>();
  code->builtin_code = builtin;
  code->custom_code = custom;
  code->version = 3;
  model->operator_codes.push_back(std::move(code));
}

tflite::OperatorT* AddOperator(tflite::SubGraphT* graph, uint32_t code, std::vector<int> inputs,
                               std::vector<int> outputs) {
  auto op = std::make_unique<tflite::OperatorT>();
  op->opcode_index = code;
  op->inputs = std::move(inputs);
  op->outputs = std::move(outputs);
  graph->operators.push_back(std::move(op));
  return graph->operators.back().get();
}

tflite::TensorT* AddTensor(tflite::SubGraphT* graph, const char* name, tflite::TensorType type,
                           std::vector<int> shape) {
  auto tensor = std::make_unique<tflite::TensorT>();
  tensor->name = name;
  tensor->type = type;
  tensor->shape = std::move(shape);
  graph->tensors.push_back(std::move(tensor));
  return graph->tensors.back().get();
}

tflite::SubGraphT* AddGraph(tflite::ModelT* model, const char* name) {
  model->subgraphs.push_back(std::make_unique<tflite::SubGraphT>());
  model->subgraphs.back()->name = name;
  return model->subgraphs.back().get();
}

Json Described(const tflite::ModelT& model) {
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model));
  return DescribeModel(*tflite::GetModel(builder.GetBufferPointer()), "some.tflite",
                       builder.GetSize());
}

TEST(ModelJson, TellsEverySubgraph) {
  tflite::ModelT model;
  AddCode(&model, tflite::BuiltinOperator_WHILE);
  tflite::SubGraphT* main = AddGraph(&model, "main");
  tflite::WhileOptionsT loop;
  loop.cond_subgraph_index = 1;
  loop.body_subgraph_index = 2;
  AddOperator(main, 0, {0, -1}, {1})->builtin_options.Set(std::move(loop));
  AddGraph(&model, "cond");
  AddGraph(&model, "body");
  auto signature = std::make_unique<tflite::SignatureDefT>();
  signature->signature_key = "serve";
  signature->subgraph_index = 2;
  model.signature_defs.push_back(std::move(signature));
  const Json reported = Described(model);
  ASSERT_EQ(reported["subgraphs"].size(), 3u);
  EXPECT_EQ(reported["subgraphs"][2]["name"], "body");
  const Json& op = reported["subgraphs"][0]["operators"][0];
  EXPECT_EQ(op["op"], "WHILE");
  EXPECT_EQ(op["version"], 3);
  EXPECT_EQ(op["inputs"], Json({0, -1}));
  EXPECT_EQ(op["options"], Json({{"cond_subgraph_index", 1}, {"body_subgraph_index", 2}}));
  EXPECT_EQ(reported["signatures"][0]["key"], "serve");
  EXPECT_EQ(reported["signatures"][0]["subgraph"], 2);
  EXPECT_EQ(reported["op_counts"]["WHILE"], 1);
}

TEST(ModelJson, ReadsOptionsOfCustomOperators) {
  tflite::ModelT model;
  AddCode(&model, tflite::BuiltinOperator_CUSTOM, "Mine");
  tflite::SubGraphT* graph = AddGraph(&model, "main");
  flexbuffers::Builder map;
  map.Map([&map] {
    map.Int("size", 7);
    map.String("kind", "a \"b\"");
  });
  map.Finish();
  AddOperator(graph, 0, {}, {})->custom_options = map.GetBuffer();
  AddOperator(graph, 0, {}, {})->custom_options = {1, 2, 3, 4, 5};
  AddOperator(graph, 0, {}, {});
  const Json operators = Described(model)["subgraphs"][0]["operators"];
  EXPECT_EQ(operators[0]["op"], "Mine");
  EXPECT_EQ(operators[0]["custom"], true);
  EXPECT_EQ(operators[0]["options"]["size"], 7);
  EXPECT_EQ(operators[0]["options"]["kind"], "a \"b\"");
  EXPECT_EQ(operators[1]["options"], Json({{"bytes", 5}}));
  EXPECT_TRUE(operators[2]["options"].is_null());
}

TEST(ModelJson, TellsTensors) {
  tflite::ModelT model;
  tflite::SubGraphT* graph = AddGraph(&model, "main");
  model.buffers.push_back(std::make_unique<tflite::BufferT>());
  model.buffers.push_back(std::make_unique<tflite::BufferT>());
  model.buffers[1]->data = {1, 2, 3};
  tflite::TensorT* weights = AddTensor(graph, "w", tflite::TensorType_INT4, {3, 1});
  weights->buffer = 1;
  weights->quantization = std::make_unique<tflite::QuantizationParametersT>();
  weights->quantization->scale = {0.5F, 0.25F, 2};
  weights->quantization->zero_point = {0, 0, 1};
  AddTensor(graph, "open", tflite::TensorType_FLOAT32, {1, 4})->shape_signature = {-1, 4};
  AddTensor(graph, "text", tflite::TensorType_STRING, {2});
  AddTensor(graph, "huge", tflite::TensorType_FLOAT64, {2147483647, 2147483647, 2147483647});
  const Json tensors = Described(model)["subgraphs"][0]["tensors"];
  EXPECT_EQ(tensors[0]["type"], "int4");
  EXPECT_EQ(tensors[0]["bytes"], 2);
  EXPECT_EQ(tensors[0]["constant_bytes"], 3);
  EXPECT_EQ(tensors[0]["quantization"]["scale"], Json({0.5, 0.25, 2.0}));
  EXPECT_EQ(tensors[0]["quantization"]["zero_point"], Json({0, 0, 1}));
  EXPECT_EQ(tensors[1]["shape_signature"], Json({-1, 4}));
  EXPECT_EQ(tensors[1]["bytes"], 16);
  EXPECT_TRUE(tensors[1]["quantization"].is_null());
  EXPECT_TRUE(tensors[2]["bytes"].is_null());
  EXPECT_TRUE(tensors[3]["bytes"].is_null());
}

TEST(ModelJson, TellsBlocks) {
  tflite::ModelT model;
  tflite::SubGraphT* graph = AddGraph(&model, "main");
  tflite::TensorT* weights = AddTensor(graph, "w", tflite::TensorType_INT4, {3, 64});
  AddTensor(graph, "scales", tflite::TensorType_FLOAT16, {3, 2});
  tflite::BlockwiseQuantizationT details;
  details.scales = 1;
  details.zero_points = -1;
  details.block_size = 32;
  weights->quantization = std::make_unique<tflite::QuantizationParametersT>();
  weights->quantization->details.Set(details);
  const Json tensors = Described(model)["subgraphs"][0]["tensors"];
  EXPECT_EQ(tensors[0]["quantization"]["details"], "BlockwiseQuantization");
  EXPECT_EQ(tensors[0]["quantization"]["blocks"],
            Json({{"size", 32}, {"scales", 1}, {"zero_points", -1}}));
}

TEST(ModelJson, WrongIndicesAreReported) {
  tflite::ModelT model;
  tflite::SubGraphT* graph = AddGraph(&model, "main");
  graph->inputs = {7};
  AddTensor(graph, "x", tflite::TensorType_FLOAT32, {1})->buffer = 99;
  AddOperator(graph, 5, {8}, {-3});
  const Json reported = Described(model)["subgraphs"][0];
  EXPECT_EQ(reported["inputs"], Json(std::vector<int>{7}));
  EXPECT_EQ(reported["tensors"][0]["buffer"], 99);
  EXPECT_EQ(reported["tensors"][0]["constant_bytes"], 0);
  EXPECT_EQ(reported["operators"][0]["op"], "opcode 5?");
  EXPECT_EQ(reported["operators"][0]["builtin_code"], -1);
}

}  // namespace
}  // namespace tern::cli
