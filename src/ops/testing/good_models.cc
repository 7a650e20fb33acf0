// SPDX-License-Identifier: Apache-2.0
#include "ops/testing/good_models.h"

#include <cstdlib>
#include <cstring>
#include <numeric>

#include "base/str_cat.h"
#include "model/testing/quantize_by_block.h"
#include "ops/testing/attempt.h"

namespace tern::testing {
namespace {

int64_t CountOf(const std::vector<int32_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// Elements of `type`: 0.25, 0.5, 0.75 and so on, or ones.
std::vector<uint8_t> SomeElements(int64_t count, tflite::TensorType type) {
  std::vector<uint8_t> bytes;
  const auto add = [&](auto value) {
    bytes.resize(bytes.size() + sizeof(value));
    std::memcpy(&bytes[bytes.size() - sizeof(value)], &value, sizeof(value));
  };
  for (int64_t i = 0; i < count; ++i) {
    switch (type) {
      case tflite::TensorType_FLOAT32:
        add(0.25f * static_cast<float>(i % 3 + 1));
        break;
      case tflite::TensorType_INT32:
        add(int32_t{1});
        break;
      case tflite::TensorType_INT64:
        add(int64_t{1});
        break;
      case tflite::TensorType_FLOAT16:
        add(uint16_t{0x3C00});
        break;
      default:
        add(uint8_t{1});
    }
  }
  return bytes;
}

}  // namespace

int GoodModels::Const(std::vector<int32_t> shape, Type type) {
  std::vector<uint8_t> bytes = SomeElements(CountOf(shape), type);
  return ConstBytes(std::move(shape), type, std::move(bytes));
}

int GoodModels::Blocks(int32_t rows, int32_t columns, int block) {
  const int index = ConstBytes({rows, columns}, tflite::TensorType_INT4,
                               std::vector<uint8_t>(static_cast<size_t>(rows * columns / 2), 0x1F));
  const std::vector<float> scales(static_cast<size_t>(rows * (columns / block)), 0.5f);
  return QuantizeByBlock(*this, index, scales, block);
}

std::vector<int32_t> GoodModels::Outputs(const Types& types) {
  std::vector<int32_t> outputs;
  outputs.reserve(types.size());
  for (const Type type : types) outputs.push_back(Tensor({}, type));
  for (const int32_t output : outputs) Output(output);
  if (scale_ != 0) Quantize(outputs[0], scale_, zero_point_);
  scale_ = 0;
  return outputs;
}

void GoodModels::Custom(const std::string& name, const std::vector<int32_t>& inputs,
                        const Types& outputs, std::vector<uint8_t> options) {
  const std::vector<int32_t> made = Outputs(outputs);
  CustomOp(name, inputs, made, std::move(options));
  Complete(name, made);
}

void GoodModels::Complete(const std::string& op, const std::vector<int32_t>& outputs) {
  const std::string name = what_.empty() ? op : op + " " + what_;
  const Outcome outcome = Attempt(model(), Route::kFile);
  if (!outcome.ran() || outcome.shapes.size() != outputs.size()) {
    Fail(StrCat("the model of ", name, " does not run: ", outcome.message));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    tensor(outputs[i]).shape = outcome.shapes[i];
  }
  models_.push_back({name, model()});
  static_cast<ModelBuilder&>(*this) = ModelBuilder();
  what_.clear();
}

const std::vector<GoodModel>& AllGoodModels() {
  static const auto& models = *[] {
    GoodModels m;
    AddElementwiseModels(m);
    AddImageModels(m);
    AddMovementModels(m);
    AddSearchModels(m);
    AddSequenceModels(m);
    return new std::vector<GoodModel>(m.Take());
  }();
  return models;
}

const tflite::ModelT& GoodModelOf(const std::string& op) {
  for (const GoodModel& good : AllGoodModels()) {
    if (good.op == op) return good.model;
  }
  Fail(StrCat("there is no model of ", op));
}

}  // namespace tern::testing
