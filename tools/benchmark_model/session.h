// SPDX-License-Identifier: Apache-2.0
// The model that is measured: from a file to tensors that can be filled and run.
#ifndef TERN_TOOLS_BENCHMARK_MODEL_SESSION_H_
#define TERN_TOOLS_BENCHMARK_MODEL_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmark_model/inputs.h"
#include "flags/delegates.h"
#include "flags/flags.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/model.h"
#include "tensorflow/lite/profiling/buffered_profiler.h"

namespace tern::tools {

class Session {
 public:
  // Flags and layers outlive the session.
  Session(const Flags* flags, const std::vector<InputLayer>* layers)
      : flags_(flags), layers_(layers) {}
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Loads the model and builds the interpreter; with op profiling, events are kept from here on.
  absl::Status Load();
  // Chooses the signature, resizes inputs, applies delegates, allocates.
  absl::Status Prepare();
  // Makes the content of the inputs once; WriteInputs copies it before every run.
  absl::Status MakeInputs();
  absl::Status WriteInputs();
  absl::Status Invoke();

  tflite::Interpreter* interpreter() { return interpreter_.get(); }
  // Null without op profiling.
  tflite::profiling::BufferedProfiler* profiler() { return profiler_.get(); }
  std::vector<const TfLiteTensor*> Outputs() const;
  double model_mb() const { return model_mb_; }  // millions of bytes
  // Of all inputs together, after Prepare.
  size_t InputBytes() const;

 private:
  absl::Status ChooseSignature();
  absl::Status ResizeInputs();
  absl::Status ApplyDelegates();
  absl::Status TellDelegation(const std::string& name);

  const Flags* flags_;
  const std::vector<InputLayer>* layers_;
  std::unique_ptr<tflite::FlatBufferModel> model_;
  double model_mb_ = 0;
  std::vector<Delegate> delegates_;
  std::unique_ptr<tflite::profiling::BufferedProfiler> profiler_;
  std::unique_ptr<tflite::Interpreter> interpreter_;  // ends before what it uses
  tflite::SignatureRunner* signature_ = nullptr;      // null: the primary subgraph is run
  tflite::Subgraph* graph_ = nullptr;                 // that is run
  std::vector<InputData> data_;
};

}  // namespace tern::tools

#endif  // TERN_TOOLS_BENCHMARK_MODEL_SESSION_H_
