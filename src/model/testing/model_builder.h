// SPDX-License-Identifier: Apache-2.0
// Builds small .tflite models in memory for tests. Header-only.
//
//   ModelBuilder b;
//   int x = b.Input({1, 4, 4, 3});
//   int w = b.Const<float>({8, 1, 1, 3}, weights);
//   int y = b.Op(BuiltinOperator_CONV_2D, {x, w, -1}, {b.Tensor({1, 4, 4, 8})}, options);
//   b.Output(y);
//   std::vector<uint8_t> bytes = b.Finish();
//
// Options come from the object API: tflite::Conv2DOptionsT options; options.stride_w = 1; ...
// Whatever has no function here is changed through model(), subgraph(), tensor() and op().
#ifndef TERN_MODEL_TESTING_MODEL_BUILDER_H_
#define TERN_MODEL_TESTING_MODEL_BUILDER_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/half.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

// The schema type that stores a C++ type.
template <typename T>
constexpr tflite::TensorType TypeOf() {
  if constexpr (std::is_same_v<T, float>) return tflite::TensorType_FLOAT32;
  if constexpr (std::is_same_v<T, double>) return tflite::TensorType_FLOAT64;
  if constexpr (std::is_same_v<T, int8_t>) return tflite::TensorType_INT8;
  if constexpr (std::is_same_v<T, uint8_t>) return tflite::TensorType_UINT8;
  if constexpr (std::is_same_v<T, int16_t>) return tflite::TensorType_INT16;
  if constexpr (std::is_same_v<T, uint16_t>) return tflite::TensorType_UINT16;
  if constexpr (std::is_same_v<T, int32_t>) return tflite::TensorType_INT32;
  if constexpr (std::is_same_v<T, uint32_t>) return tflite::TensorType_UINT32;
  if constexpr (std::is_same_v<T, int64_t>) return tflite::TensorType_INT64;
  if constexpr (std::is_same_v<T, uint64_t>) return tflite::TensorType_UINT64;
  if constexpr (std::is_same_v<T, bool>) return tflite::TensorType_BOOL;
}

class ModelBuilder {
 public:
  // Starts with an empty primary subgraph and the empty buffer 0.
  ModelBuilder() {
    model_.version = 3;
    model_.buffers.push_back(std::make_unique<tflite::BufferT>());
    AddSubgraph("main");
  }

  // Adds a subgraph and makes it current: all calls below go to the current one. Returns its index.
  int AddSubgraph(const std::string& name) {
    model_.subgraphs.push_back(std::make_unique<tflite::SubGraphT>());
    current_ = static_cast<int>(model_.subgraphs.size()) - 1;
    subgraph().name = name;
    return current_;
  }
  void SelectSubgraph(int index) { current_ = index; }

  // A tensor that some op writes. All these return the tensor's index.
  int Tensor(std::vector<int32_t> shape, tflite::TensorType type = tflite::TensorType_FLOAT32,
             const std::string& name = "") {
    auto t = std::make_unique<tflite::TensorT>();
    const int index = static_cast<int>(subgraph().tensors.size());
    t->shape = std::move(shape);
    t->has_rank = true;
    t->type = type;
    t->name = name.empty() ? "t" + std::to_string(index) : name;
    subgraph().tensors.push_back(std::move(t));
    return index;
  }

  int Input(std::vector<int32_t> shape, tflite::TensorType type = tflite::TensorType_FLOAT32,
            const std::string& name = "") {
    const int index = Tensor(std::move(shape), type, name);
    subgraph().inputs.push_back(index);
    return index;
  }

  int Variable(std::vector<int32_t> shape, tflite::TensorType type = tflite::TensorType_FLOAT32) {
    const int index = Tensor(std::move(shape), type);
    tensor(index).is_variable = true;
    return index;
  }

  // Constants: raw bytes of `type`, elements of T, or floats stored as half.
  int ConstBytes(std::vector<int32_t> shape, tflite::TensorType type, std::vector<uint8_t> bytes) {
    const int index = Tensor(std::move(shape), type);
    tensor(index).buffer = AddBuffer(std::move(bytes));
    return index;
  }

  template <typename T>
  int Const(std::vector<int32_t> shape, const std::vector<T>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      for (size_t i = 0; i < values.size(); ++i) bytes[i] = values[i] ? 1 : 0;
    } else if (!bytes.empty()) {
      std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return ConstBytes(std::move(shape), TypeOf<T>(), std::move(bytes));
  }

  int ConstHalf(std::vector<int32_t> shape, const std::vector<float>& values) {
    std::vector<uint8_t> bytes(values.size() * 2);
    for (size_t i = 0; i < values.size(); ++i) {
      const uint16_t half = FloatToHalf(values[i]);
      std::memcpy(&bytes[2 * i], &half, 2);
    }
    return ConstBytes(std::move(shape), tflite::TensorType_FLOAT16, std::move(bytes));
  }

  int ConstStrings(std::vector<int32_t> shape, const std::vector<std::string>& texts) {
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

  // Gives the tensor an affine quantization and returns the tensor.
  int Quantize(int index, float scale, int64_t zero_point) {
    return QuantizePerChannel(index, {scale}, {zero_point}, 0);
  }
  int QuantizePerChannel(int index, std::vector<float> scales, std::vector<int64_t> zero_points,
                         int dimension) {
    auto q = std::make_unique<tflite::QuantizationParametersT>();
    q->scale = std::move(scales);
    q->zero_point = std::move(zero_points);
    q->quantized_dimension = dimension;
    tensor(index).quantization = std::move(q);
    return index;
  }

  // Adds an op; returns its first output, or -1 when it has none.
  int Op(tflite::BuiltinOperator code, std::vector<int32_t> inputs, std::vector<int32_t> outputs) {
    return AddOp(OpcodeIndex(code, "", version_), std::move(inputs), std::move(outputs));
  }

  // OptionsT is an object-API options struct of either union.
  template <typename OptionsT>
  int Op(tflite::BuiltinOperator code, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
         OptionsT options) {
    const int first = Op(code, std::move(inputs), std::move(outputs));
    if constexpr (tflite::BuiltinOptionsUnionTraits<OptionsT>::enum_value !=
                  tflite::BuiltinOptions_NONE) {
      op().builtin_options.Set(std::move(options));
    } else {
      static_assert(tflite::BuiltinOptions2UnionTraits<OptionsT>::enum_value !=
                    tflite::BuiltinOptions2_NONE);
      op().builtin_options_2.Set(std::move(options));
    }
    return first;
  }

  int CustomOp(const std::string& name, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
               std::vector<uint8_t> options = {}) {
    const int first = AddOp(OpcodeIndex(tflite::BuiltinOperator_CUSTOM, name, version_),
                            std::move(inputs), std::move(outputs));
    op().custom_options = std::move(options);
    return first;
  }

  // The version of the ops added from now on; 1 at the start.
  void SetOpVersion(int version) { version_ = version; }

  void Output(int index) { subgraph().outputs.push_back(index); }

  using Names = std::vector<std::pair<std::string, int>>;
  // A signature over the current subgraph.
  void Signature(const std::string& key, const Names& inputs, const Names& outputs) {
    auto s = std::make_unique<tflite::SignatureDefT>();
    s->signature_key = key;
    s->subgraph_index = static_cast<uint32_t>(current_);
    s->inputs = TensorMaps(inputs);
    s->outputs = TensorMaps(outputs);
    model_.signature_defs.push_back(std::move(s));
  }

  void Metadata(const std::string& name, std::vector<uint8_t> bytes) {
    auto m = std::make_unique<tflite::MetadataT>();
    m->name = name;
    m->buffer = AddBuffer(std::move(bytes));
    model_.metadata.push_back(std::move(m));
  }

  uint32_t AddBuffer(std::vector<uint8_t> bytes) {
    auto buffer = std::make_unique<tflite::BufferT>();
    buffer->data = std::move(bytes);
    model_.buffers.push_back(std::move(buffer));
    return static_cast<uint32_t>(model_.buffers.size()) - 1;
  }

  tflite::ModelT& model() { return model_; }
  tflite::SubGraphT& subgraph() { return *model_.subgraphs[current_]; }
  tflite::TensorT& tensor(int index) { return *subgraph().tensors[index]; }
  tflite::OperatorT& op() { return *subgraph().operators.back(); }

  // The file's bytes; the builder stays usable.
  std::vector<uint8_t> Finish() const {
    flatbuffers::FlatBufferBuilder builder;
    tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model_));
    const uint8_t* start = builder.GetBufferPointer();
    return {start, start + builder.GetSize()};
  }

 private:
  static std::vector<std::unique_ptr<tflite::TensorMapT>> TensorMaps(const Names& names) {
    std::vector<std::unique_ptr<tflite::TensorMapT>> maps;
    for (const auto& [name, index] : names) {
      auto map = std::make_unique<tflite::TensorMapT>();
      map->name = name;
      map->tensor_index = static_cast<uint32_t>(index);
      maps.push_back(std::move(map));
    }
    return maps;
  }

  uint32_t OpcodeIndex(tflite::BuiltinOperator code, const std::string& name, int version) {
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

  int AddOp(uint32_t opcode, std::vector<int32_t> inputs, std::vector<int32_t> outputs) {
    auto op = std::make_unique<tflite::OperatorT>();
    op->opcode_index = opcode;
    op->inputs = std::move(inputs);
    op->outputs = std::move(outputs);
    const int first = op->outputs.empty() ? -1 : op->outputs[0];
    subgraph().operators.push_back(std::move(op));
    return first;
  }

  tflite::ModelT model_;
  int current_ = 0;
  int version_ = 1;
};

}  // namespace tern::testing

#endif  // TERN_MODEL_TESTING_MODEL_BUILDER_H_
