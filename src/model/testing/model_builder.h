// SPDX-License-Identifier: Apache-2.0
// Builds small .tflite models in memory for tests.
//
//   ModelBuilder b;
//   int x = b.Input({1, 4, 4, 3});
//   int w = b.Const<float>({8, 1, 1, 3}, weights);
//   int y = b.Op(BuiltinOperator_CONV_2D, {x, w, -1}, {b.Tensor({1, 4, 4, 8})}, options);
//   b.Output(y);
//   std::vector<uint8_t> bytes = b.Finish();
//
// Options come from the object API: tflite::Conv2DOptionsT options; options.stride_w = 1; ...
// Parts without a function here are changed through model(), subgraph(), tensor() and op().
#ifndef TERN_MODEL_TESTING_MODEL_BUILDER_H_
#define TERN_MODEL_TESTING_MODEL_BUILDER_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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
  ModelBuilder();
  ~ModelBuilder();
  ModelBuilder(ModelBuilder&&) noexcept;
  ModelBuilder& operator=(ModelBuilder&&) noexcept;

  // Adds a subgraph and makes it current: all calls below go to the current one. Returns its index.
  int AddSubgraph(const std::string& name);
  void SelectSubgraph(int index) { current_ = index; }

  // A tensor that some op writes. All these return the tensor's index.
  int Tensor(std::vector<int32_t> shape, tflite::TensorType type = tflite::TensorType_FLOAT32,
             const std::string& name = "");

  int Input(std::vector<int32_t> shape, tflite::TensorType type = tflite::TensorType_FLOAT32,
            const std::string& name = "");

  int Variable(std::vector<int32_t> shape, tflite::TensorType type = tflite::TensorType_FLOAT32);

  // Constants: raw bytes of `type`, elements of T, or floats stored as half.
  int ConstBytes(std::vector<int32_t> shape, tflite::TensorType type, std::vector<uint8_t> bytes);

  template <typename T>
  int Const(const std::vector<int32_t>& shape, const std::vector<T>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      for (size_t i = 0; i < values.size(); ++i) bytes[i] = values[i] ? 1 : 0;
    } else if (!bytes.empty()) {
      std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return ConstBytes(shape, TypeOf<T>(), std::move(bytes));
  }

  int Ints(const std::vector<int32_t>& shape, const std::vector<int32_t>& values) {
    return Const(shape, values);
  }
  int Ints(const std::vector<int32_t>& list) {
    return Const({static_cast<int32_t>(list.size())}, list);
  }
  int Number(float value) { return Const<float>({}, {value}); }

  int ConstHalf(std::vector<int32_t> shape, const std::vector<float>& values);

  int ConstStrings(std::vector<int32_t> shape, const std::vector<std::string>& texts);

  // Gives the tensor an affine quantization and returns the tensor.
  int Quantize(int index, float scale, int64_t zero_point);
  int QuantizePerChannel(int index, std::vector<float> scales, std::vector<int64_t> zero_points,
                         int dimension);

  // Adds an op; returns its first output, or -1 when it has none.
  int Op(tflite::BuiltinOperator code, std::vector<int32_t> inputs, std::vector<int32_t> outputs);

  // OptionsT is an object-API options struct of either union.
  template <typename OptionsT>
  int Op(tflite::BuiltinOperator code, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
         OptionsT options) {
    const int first = Op(code, std::move(inputs), std::move(outputs));
    SetOptions(std::move(options));
    return first;
  }

  // Of the op added last, which has none yet.
  template <typename OptionsT>
  void SetOptions(OptionsT options) {
    // Set() would be compiled in every file for all types of options.
    using Union = tflite::BuiltinOptionsUnionTraits<OptionsT>;
    using Union2 = tflite::BuiltinOptions2UnionTraits<OptionsT>;
    if constexpr (Union::enum_value != tflite::BuiltinOptions_NONE) {
      op().builtin_options.type = Union::enum_value;
      op().builtin_options.value = new OptionsT(std::move(options));
    } else {
      static_assert(Union2::enum_value != tflite::BuiltinOptions2_NONE);
      op().builtin_options_2.type = Union2::enum_value;
      op().builtin_options_2.value = new OptionsT(std::move(options));
    }
  }

  int CustomOp(const std::string& name, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
               std::vector<uint8_t> options = {});

  // The version of the ops added from now on; 1 at the start.
  void SetOpVersion(int version) { version_ = version; }

  void Output(int index) { subgraph().outputs.push_back(index); }

  using Names = std::vector<std::pair<std::string, int>>;
  // A signature over the current subgraph.
  void Signature(const std::string& key, const Names& inputs, const Names& outputs);

  void Metadata(const std::string& name, std::vector<uint8_t> bytes);

  uint32_t AddBuffer(std::vector<uint8_t> bytes);

  tflite::ModelT& model() { return model_; }
  const tflite::ModelT& model() const { return model_; }
  tflite::SubGraphT& subgraph() { return *model_.subgraphs[current_]; }
  tflite::TensorT& tensor(int index) { return *subgraph().tensors[index]; }
  tflite::OperatorT& op() { return *subgraph().operators.back(); }

  // The file's bytes; the builder stays usable.
  std::vector<uint8_t> Finish() const;

 private:
  static std::vector<std::unique_ptr<tflite::TensorMapT>> TensorMaps(const Names& names);

  uint32_t OpcodeIndex(tflite::BuiltinOperator code, const std::string& name, int version);

  int AddOp(uint32_t opcode, std::vector<int32_t> inputs, std::vector<int32_t> outputs);

  tflite::ModelT model_;
  int current_ = 0;
  int version_ = 1;
};

std::vector<uint8_t> BytesOf(const tflite::ModelT& model);
// The object form of a file; null when the bytes are no sound flatbuffer of a model.
std::unique_ptr<tflite::ModelT> ReadModel(std::span<const uint8_t> file);

}  // namespace tern::testing

#endif  // TERN_MODEL_TESTING_MODEL_BUILDER_H_
