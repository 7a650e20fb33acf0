// SPDX-License-Identifier: Apache-2.0
// Small valid models of operations with all their operands: what tables of bad models damage.
#ifndef TERN_OPS_TESTING_GOOD_MODELS_H_
#define TERN_OPS_TESTING_GOOD_MODELS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"

namespace tern::testing {

struct GoodModel {
  std::string op;  // as op_table.inc calls it; further ones have more after a blank
  tflite::ModelT model;
};

// Builds models of one operation, one after the other. Shapes of outputs are found by running them.
class GoodModels : public ModelBuilder {
 public:
  using Code = tflite::BuiltinOperator;
  using Type = tflite::TensorType;
  using Types = std::vector<Type>;
  static constexpr Type kFloat = tflite::TensorType_FLOAT32;

  // Floats between 0 and 1; other types hold ones.
  int Const(std::vector<int32_t> shape, Type type = kFloat);
  using ModelBuilder::Const;
  // INT4 with scales by block of a row.
  int Blocks(int32_t rows, int32_t columns, int block);

  // Completes the model.
  void Op(Code code, const std::vector<int32_t>& inputs, const Types& outputs = {kFloat}) {
    const std::vector<int32_t> made = Outputs(outputs);
    ModelBuilder::Op(code, inputs, made);
    Complete(tflite::EnumNameBuiltinOperator(code), made);
  }
  template <class OptionsT>
  void Op(Code code, const std::vector<int32_t>& inputs, const Types& outputs, OptionsT options) {
    const std::vector<int32_t> made = Outputs(outputs);
    ModelBuilder::Op(code, inputs, made, std::move(options));
    Complete(tflite::EnumNameBuiltinOperator(code), made);
  }
  template <class OptionsT>
  void Op(Code code, const std::vector<int32_t>& inputs, OptionsT options) {
    Op(code, inputs, {kFloat}, std::move(options));
  }
  void Custom(const std::string& name, const std::vector<int32_t>& inputs, const Types& outputs,
              std::vector<uint8_t> options);
  // Of the next model: its output's scale, and what it is called besides its operation.
  void QuantizeOutput(float scale, int64_t zero_point) {
    scale_ = scale;
    zero_point_ = zero_point;
  }
  void Call(std::string what) { what_ = std::move(what); }

  std::vector<GoodModel> Take() { return std::move(models_); }

 private:
  std::vector<int32_t> Outputs(const Types& types);
  void Complete(const std::string& op, const std::vector<int32_t>& outputs);

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
