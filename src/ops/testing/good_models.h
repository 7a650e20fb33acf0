// SPDX-License-Identifier: Apache-2.0
// Small valid models of operations with all their operands: what tables of bad models damage.
#ifndef TERN_OPS_TESTING_GOOD_MODELS_H_
#define TERN_OPS_TESTING_GOOD_MODELS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"

namespace tern::testing {

struct GoodModel {
  std::string op;  // as op_list.inc calls it; further ones have more after a blank
  tflite::ModelT model;
};

// Collects models of one operation. Shapes of outputs are found by running them.
class GoodModels {
 public:
  using Code = tflite::BuiltinOperator;
  using Type = tflite::TensorType;
  static constexpr Type kFloat = tflite::TensorType_FLOAT32;

  // Operands of the model that the next Op call completes.
  int In(std::vector<int32_t> shape, Type type = kFloat) {
    return builder_->Input(std::move(shape), type);
  }
  int State(std::vector<int32_t> shape) { return builder_->Variable(std::move(shape)); }
  // Floats between 0 and 1; other types hold ones.
  int Const(std::vector<int32_t> shape, Type type = kFloat);
  int Ints(const std::vector<int32_t>& values) {
    return builder_->Const({static_cast<int32_t>(values.size())}, values);
  }
  int Ints(const std::vector<int32_t>& shape, const std::vector<int32_t>& values) {
    return builder_->Const(shape, values);
  }
  int Longs(const std::vector<int64_t>& values) {
    return builder_->Const({static_cast<int32_t>(values.size())}, values);
  }
  int Number(float value) { return builder_->Const<float>({}, {value}); }
  // INT4 with scales by block of a row.
  int Blocks(int32_t rows, int32_t columns, int block);
  ModelBuilder& builder() { return *builder_; }

  // Completes the model.
  void Op(Code code, const std::vector<int32_t>& inputs,
          const std::vector<Type>& outputs = {kFloat});
  template <class OptionsT>
  void Op(Code code, const std::vector<int32_t>& inputs, const std::vector<Type>& outputs,
          OptionsT options) {
    SetOptions(std::move(options));
    Op(code, inputs, outputs);
  }
  template <class OptionsT>
  void Op(Code code, const std::vector<int32_t>& inputs, OptionsT options) {
    Op(code, inputs, {kFloat}, std::move(options));
  }
  void Custom(const std::string& name, const std::vector<int32_t>& inputs,
              const std::vector<Type>& outputs, std::vector<uint8_t> options);
  // Of the next model: its output's scale, and what it is called besides its operation.
  void QuantizeOutput(float scale, int64_t zero_point) {
    scale_ = scale;
    zero_point_ = zero_point;
  }
  void Call(std::string what) { what_ = std::move(what); }

  std::vector<GoodModel> Take() { return std::move(models_); }

 private:
  template <class OptionsT>
  void SetOptions(OptionsT options) {
    if constexpr (tflite::BuiltinOptionsUnionTraits<OptionsT>::enum_value !=
                  tflite::BuiltinOptions_NONE) {
      options_.Set(std::move(options));
    } else {
      options_2_.Set(std::move(options));
    }
  }
  std::vector<int32_t> Outputs(const std::vector<Type>& types);
  void Complete(const std::string& op, const std::vector<int32_t>& outputs);

  std::unique_ptr<ModelBuilder> builder_ = std::make_unique<ModelBuilder>();
  tflite::BuiltinOptionsUnion options_;
  tflite::BuiltinOptions2Union options_2_;
  std::string what_;
  float scale_ = 0;
  int64_t zero_point_ = 0;
  std::vector<GoodModel> models_;
};

// By family, each in a file of its own.
void AddElementwiseModels(GoodModels& m);
void AddImageModels(GoodModels& m);
void AddMovementModels(GoodModels& m);
void AddSearchModels(GoodModels& m);
void AddSequenceModels(GoodModels& m);

const std::vector<GoodModel>& AllGoodModels();
const tflite::ModelT& GoodModelOf(const std::string& op);

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_GOOD_MODELS_H_
