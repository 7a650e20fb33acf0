// SPDX-License-Identifier: Apache-2.0
// Holds the code that compiles the whole schema, so that this happens once.
#include "model/testing/model_builder.h"

#include <algorithm>

#include "base/tensor/half.h"

namespace tern::testing {
namespace {

// A file may name the type of a part that it does not have; the object form can neither copy nor
// write that.
void TidyUnions(tflite::ModelT& model) {
  const auto tidy = [](auto& part) {
    if (part.value == nullptr) part.Reset();
  };
  for (const auto& graph : model.subgraphs) {
    for (const auto& op : graph->operators) {
      tidy(op->builtin_options);
      tidy(op->builtin_options_2);
    }
    for (const auto& tensor : graph->tensors) {
      if (tensor->quantization != nullptr) tidy(tensor->quantization->details);
      if (tensor->sparsity == nullptr) continue;
      for (const auto& level : tensor->sparsity->dim_metadata) {
        tidy(level->array_segments);
        tidy(level->array_indices);
      }
    }
  }
}

}  // namespace

ModelBuilder::ModelBuilder() {
  model_.version = 3;
  model_.buffers.push_back(std::make_unique<tflite::BufferT>());
  AddSubgraph("main");
}

ModelBuilder::~ModelBuilder() = default;
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;

int ModelBuilder::AddSubgraph(const std::string& name) {
  model_.subgraphs.push_back(std::make_unique<tflite::SubGraphT>());
  current_ = static_cast<int>(model_.subgraphs.size()) - 1;
  subgraph().name = name;
  return current_;
}

int ModelBuilder::Tensor(std::vector<int32_t> shape, tflite::TensorType type,
                         const std::string& name) {
  auto t = std::make_unique<tflite::TensorT>();
  const int index = static_cast<int>(subgraph().tensors.size());
  t->shape = std::move(shape);
  t->has_rank = true;
  t->type = type;
  t->name = name.empty() ? "t" + std::to_string(index) : name;
  subgraph().tensors.push_back(std::move(t));
  return index;
}

int ModelBuilder::Input(std::vector<int32_t> shape, tflite::TensorType type,
                        const std::string& name) {
  const int index = Tensor(std::move(shape), type, name);
  subgraph().inputs.push_back(index);
  return index;
}

int ModelBuilder::Variable(std::vector<int32_t> shape, tflite::TensorType type) {
  const int index = Tensor(std::move(shape), type);
  tensor(index).is_variable = true;
  return index;
}

int ModelBuilder::ConstBytes(std::vector<int32_t> shape, tflite::TensorType type,
                             std::vector<uint8_t> bytes) {
  const int index = Tensor(std::move(shape), type);
  tensor(index).buffer = AddBuffer(std::move(bytes));
  return index;
}

int ModelBuilder::ConstHalf(std::vector<int32_t> shape, const std::vector<float>& values) {
  std::vector<uint8_t> bytes(values.size() * 2);
  for (size_t i = 0; i < values.size(); ++i) {
    const uint16_t half = FloatToHalf(values[i]);
    std::memcpy(&bytes[2 * i], &half, 2);
  }
  return ConstBytes(std::move(shape), tflite::TensorType_FLOAT16, std::move(bytes));
}

int ModelBuilder::ConstStrings(std::vector<int32_t> shape, const std::vector<std::string>& texts) {
  std::vector<int32_t> header = {static_cast<int32_t>(texts.size())};
  std::string characters;
  const auto start = static_cast<int32_t>(4 * (texts.size() + 2));
  header.push_back(start);
  for (const std::string& text : texts) {
    characters += text;
    header.push_back(start + static_cast<int32_t>(characters.size()));
  }
  std::vector<uint8_t> bytes(header.size() * 4);
  std::memcpy(bytes.data(), header.data(), bytes.size());
  bytes.insert(bytes.end(), characters.begin(), characters.end());
  return ConstBytes(std::move(shape), tflite::TensorType_STRING, std::move(bytes));
}

int ModelBuilder::Quantize(int index, float scale, int64_t zero_point) {
  return QuantizePerChannel(index, {scale}, {zero_point}, 0);
}

int ModelBuilder::QuantizePerChannel(int index, std::vector<float> scales,
                                     std::vector<int64_t> zero_points, int dimension) {
  auto q = std::make_unique<tflite::QuantizationParametersT>();
  q->scale = std::move(scales);
  q->zero_point = std::move(zero_points);
  q->quantized_dimension = dimension;
  tensor(index).quantization = std::move(q);
  return index;
}

int ModelBuilder::Op(tflite::BuiltinOperator code, std::vector<int32_t> inputs,
                     std::vector<int32_t> outputs) {
  return AddOp(OpcodeIndex(code, "", version_), std::move(inputs), std::move(outputs));
}

int ModelBuilder::CustomOp(const std::string& name, std::vector<int32_t> inputs,
                           std::vector<int32_t> outputs, std::vector<uint8_t> options) {
  const int first = AddOp(OpcodeIndex(tflite::BuiltinOperator_CUSTOM, name, version_),
                          std::move(inputs), std::move(outputs));
  op().custom_options = std::move(options);
  return first;
}

void ModelBuilder::Signature(const std::string& key, const Names& inputs, const Names& outputs) {
  auto s = std::make_unique<tflite::SignatureDefT>();
  s->signature_key = key;
  s->subgraph_index = static_cast<uint32_t>(current_);
  s->inputs = TensorMaps(inputs);
  s->outputs = TensorMaps(outputs);
  model_.signature_defs.push_back(std::move(s));
}

void ModelBuilder::Metadata(const std::string& name, std::vector<uint8_t> bytes) {
  auto m = std::make_unique<tflite::MetadataT>();
  m->name = name;
  m->buffer = AddBuffer(std::move(bytes));
  model_.metadata.push_back(std::move(m));
}

uint32_t ModelBuilder::AddBuffer(std::vector<uint8_t> bytes) {
  auto buffer = std::make_unique<tflite::BufferT>();
  buffer->data = std::move(bytes);
  model_.buffers.push_back(std::move(buffer));
  return static_cast<uint32_t>(model_.buffers.size()) - 1;
}

std::vector<uint8_t> ModelBuilder::Finish() const { return BytesOf(model_); }

std::vector<std::unique_ptr<tflite::TensorMapT>> ModelBuilder::TensorMaps(const Names& names) {
  std::vector<std::unique_ptr<tflite::TensorMapT>> maps;
  for (const auto& [name, index] : names) {
    auto map = std::make_unique<tflite::TensorMapT>();
    map->name = name;
    map->tensor_index = static_cast<uint32_t>(index);
    maps.push_back(std::move(map));
  }
  return maps;
}

uint32_t ModelBuilder::OpcodeIndex(tflite::BuiltinOperator code, const std::string& name,
                                   int version) {
  auto& codes = model_.operator_codes;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (codes[i]->builtin_code == code && codes[i]->custom_code == name &&
        codes[i]->version == version) {
      return static_cast<uint32_t>(i);
    }
  }
  auto entry = std::make_unique<tflite::OperatorCodeT>();
  entry->builtin_code = code;
  entry->deprecated_builtin_code = static_cast<int8_t>(std::min<int>(code, 127));
  entry->custom_code = name;
  entry->version = version;
  codes.push_back(std::move(entry));
  return static_cast<uint32_t>(codes.size()) - 1;
}

int ModelBuilder::AddOp(uint32_t opcode, std::vector<int32_t> inputs,
                        std::vector<int32_t> outputs) {
  auto op = std::make_unique<tflite::OperatorT>();
  op->opcode_index = opcode;
  op->inputs = std::move(inputs);
  op->outputs = std::move(outputs);
  const int first = op->outputs.empty() ? -1 : op->outputs[0];
  subgraph().operators.push_back(std::move(op));
  return first;
}

std::vector<uint8_t> BytesOf(const tflite::ModelT& model) {
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model));
  const uint8_t* start = builder.GetBufferPointer();
  return {start, start + builder.GetSize()};
}

std::unique_ptr<tflite::ModelT> ReadModel(std::span<const uint8_t> file) {
  // The object form is made of a copy whose address is as even as that of a file.
  const std::vector<uint8_t> bytes(file.begin(), file.end());
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  if (bytes.size() < 8 || !tflite::VerifyModelBuffer(verifier)) return nullptr;
  auto model = std::make_unique<tflite::ModelT>();
  tflite::GetModel(bytes.data())->UnPackTo(model.get());
  TidyUnions(*model);
  return model;
}

}  // namespace tern::testing
