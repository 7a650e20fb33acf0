// SPDX-License-Identifier: Apache-2.0
// A model on one engine, for many runs.
#ifndef TERN_OPS_TESTING_MODEL_RUNNER_H_
#define TERN_OPS_TESTING_MODEL_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ops/testing/engines.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::testing {

class ModelRunner {
 public:
  ModelRunner(const std::vector<uint8_t>& bytes, const Engine& engine);

  const std::string& name() const { return engine_.name; }
  bool on_gpu() const { return engine_.on_gpu(); }
  // Why there is no interpreter, or why the last run failed; of a GPU engine also that the GPU does
  // not take the whole graph.
  const std::string& error() const { return error_; }

  size_t inputs() const { return interpreter_->inputs().size(); }
  TfLiteType TypeOf(size_t input) const { return interpreter_->input_tensor(input)->type; }
  size_t Elements(size_t input) const;
  // Whether some input is FLOAT32, and the others are of types that Run knows.
  bool ReadsFloats() const;

  // Numbers become elements of the input's type: FLOAT32, INT32, INT64 or BOOL. Variables are as at
  // the first run.
  std::vector<Values> Run(const std::vector<std::vector<float>>& inputs);
  // Runs with variables as the last run has left them.
  std::vector<Values> Continue(const std::vector<std::vector<float>>& inputs);

 private:
  Engine engine_;
  std::string error_;
  std::vector<uint8_t> bytes_;
  std::unique_ptr<tflite::FlatBufferModel> model_;
  DelegatePtr delegate_{nullptr, [](TfLiteDelegate*) {}};
  std::unique_ptr<tflite::Interpreter> interpreter_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_MODEL_RUNNER_H_
