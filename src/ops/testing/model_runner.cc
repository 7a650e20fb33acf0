// SPDX-License-Identifier: Apache-2.0
// Models run many times through the public API.
#include "ops/testing/model_runner.h"

#include <algorithm>
#include <utility>

namespace tern::testing {

ModelRunner::ModelRunner(const std::vector<uint8_t>& bytes, const Engine& engine)
    : engine_(engine), bytes_(bytes) {
  model_ = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
      reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
  if (model_ == nullptr) {
    error_ = "the model is refused";
    return;
  }
  error_ = BuildInterpreter(*model_, engine_, &delegate_, &interpreter_, nullptr);
  if (error_.empty() && interpreter_->AllocateTensors() != kTfLiteOk) {
    error_ = "AllocateTensors failed";
  }
}

size_t ModelRunner::Elements(size_t input) const {
  const TfLiteIntArray* dims = interpreter_->input_tensor(input)->dims;
  size_t count = 1;
  for (int d = 0; d < dims->size; ++d) count *= static_cast<size_t>(dims->data[d]);
  return count;
}

bool ModelRunner::ReadsFloats() const {
  bool floats = false;
  for (size_t i = 0; i < inputs(); ++i) {
    const TfLiteType type = TypeOf(i);
    floats = floats || type == kTfLiteFloat32;
    const bool known = type == kTfLiteFloat32 || type == kTfLiteInt32 || type == kTfLiteInt64 ||
                       type == kTfLiteBool;
    if (!known) return false;
  }
  return floats;
}

namespace {

template <class T>
void Set(TfLiteTensor* tensor, const std::vector<float>& values) {
  T* to = reinterpret_cast<T*>(tensor->data.raw);
  std::transform(values.begin(), values.end(), to, [](float v) { return static_cast<T>(v); });
}

}  // namespace

std::vector<Values> ModelRunner::Run(const std::vector<std::vector<float>>& inputs) {
  interpreter_->ResetVariableTensors();
  return Continue(inputs);
}

std::vector<Values> ModelRunner::Continue(const std::vector<std::vector<float>>& inputs) {
  error_.clear();
  for (size_t i = 0; i < inputs.size(); ++i) {
    TfLiteTensor* tensor = interpreter_->input_tensor(i);
    if (tensor->type == kTfLiteFloat32) Set<float>(tensor, inputs[i]);
    if (tensor->type == kTfLiteInt32) Set<int32_t>(tensor, inputs[i]);
    if (tensor->type == kTfLiteInt64) Set<int64_t>(tensor, inputs[i]);
    if (tensor->type == kTfLiteBool) Set<bool>(tensor, inputs[i]);
  }
  if (interpreter_->Invoke() != kTfLiteOk) {
    error_ = "Invoke failed";
    return {};
  }
  return OutputsOf(*interpreter_);
}

}  // namespace tern::testing
