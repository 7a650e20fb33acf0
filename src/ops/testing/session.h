// SPDX-License-Identifier: Apache-2.0
// An interpreter of a model that a test has built, with what it reports.
#ifndef TERN_OPS_TESTING_SESSION_H_
#define TERN_OPS_TESTING_SESSION_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "model/testing/recording_reporter.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

namespace tern::testing {

class Session {
 public:
  explicit Session(const ModelBuilder& b, const tflite::InterpreterOptions* options = nullptr,
                   const tflite::OpResolver& resolver = tflite::ops::builtin::BuiltinOpResolver())
      : bytes_(b.Finish()) {
    model_ = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
        reinterpret_cast<const char*>(bytes_.data()), bytes_.size(), nullptr, &reporter_);
    if (model_ == nullptr) return;
    tflite::InterpreterBuilder(*model_, resolver, options)(&interpreter_);
  }

  bool built() const { return interpreter_ != nullptr; }
  tflite::Interpreter* operator->() { return interpreter_.get(); }

  template <class T>
  void Set(int input, const std::vector<T>& values) {
    std::copy(values.begin(), values.end(), interpreter_->typed_input_tensor<T>(input));
  }
  template <class T>
  std::vector<T> Get(int output) {
    const T* values = interpreter_->typed_output_tensor<T>(output);
    return {values, values + interpreter_->output_tensor(output)->bytes / sizeof(T)};
  }

  const std::vector<std::string>& messages() const { return reporter_.messages; }
  // All messages, a line each.
  std::string Errors() const {
    std::string text;
    for (const std::string& message : messages()) text += message + "\n";
    return text;
  }

 private:
  std::vector<uint8_t> bytes_;
  RecordingReporter reporter_;
  std::unique_ptr<tflite::FlatBufferModel> model_;
  std::unique_ptr<tflite::Interpreter> interpreter_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_SESSION_H_
