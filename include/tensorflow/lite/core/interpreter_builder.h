// SPDX-License-Identifier: Apache-2.0
//
// Makes interpreters from a model.
#ifndef TERN_TENSORFLOW_LITE_CORE_INTERPRETER_BUILDER_H_
#define TERN_TENSORFLOW_LITE_CORE_INTERPRETER_BUILDER_H_

#include <memory>
#include <utility>
#include <vector>

#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/api/op_resolver.h"
#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/core/model_builder.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/interpreter_options.h"
#include "tensorflow/lite/profiling/telemetry/profiler.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tensorflow/lite/stderr_reporter.h"

namespace tern {
class ExternalData;
}  // namespace tern

namespace tflite {

// May be called any number of times; each call makes a new interpreter. The model and the error
// reporter must outlive the interpreters, the resolver only the builder; options are copied.
class InterpreterBuilder {
 public:
  InterpreterBuilder(const FlatBufferModel& model, const OpResolver& op_resolver,
                     const InterpreterOptions* options_experimental = nullptr);
  // A null model is reported when an interpreter is asked for.
  InterpreterBuilder(const std::unique_ptr<FlatBufferModel>& model, const OpResolver& op_resolver,
                     const InterpreterOptions* options_experimental = nullptr);
  // `allocation` holds the model's bytes, if they come from a file.
  InterpreterBuilder(const ::tflite::Model* model, const OpResolver& op_resolver,
                     ErrorReporter* error_reporter = DefaultErrorReporter(),
                     const InterpreterOptions* options_experimental = nullptr,
                     const Allocation* allocation = nullptr);
  ~InterpreterBuilder();
  InterpreterBuilder(const InterpreterBuilder&) = delete;
  InterpreterBuilder& operator=(const InterpreterBuilder&) = delete;

  // Sets *interpreter, or resets it to null and returns what went wrong. A delegate's status is
  // passed on as it is.
  TfLiteStatus operator()(std::unique_ptr<Interpreter>* interpreter);
  TfLiteStatus operator()(std::unique_ptr<Interpreter>* interpreter, int num_threads);

  // -1: the runtime decides. Less is an error.
  TfLiteStatus SetNumThreads(int num_threads);

  // Delegates are applied in the order added. Not owned.
  void AddDelegate(TfLiteDelegate* delegate);
  void AddDelegate(TfLiteOpaqueDelegateStruct* delegate);

  // The next interpreter takes it over.
  void SetTelemetryProfiler(std::unique_ptr<telemetry::TelemetryProfiler> profiler) {
    telemetry_profiler_ = std::move(profiler);
  }

 private:
  TfLiteStatus Build(Interpreter* interpreter);
  TfLiteStatus BuildOperatorMap();
  TfLiteStatus CheckModel();
  TfLiteStatus LoadSubgraphs(Interpreter* interpreter);
  TfLiteStatus LoadTensors(const SubGraph& source, tern::ExternalData* external, Subgraph* target);
  TfLiteStatus LoadTensor(const Tensor& source, int index, int tensor_count,
                          tern::ExternalData* external, Subgraph* target);
  TfLiteStatus LoadNodes(const SubGraph& source, Subgraph* target);
  TfLiteStatus LoadSignatures(Interpreter* interpreter);
  TfLiteStatus ApplyDelegates(Interpreter* interpreter);

  const ::tflite::Model* model_;
  const OpResolver& op_resolver_;
  ErrorReporter* error_reporter_;
  const Allocation* allocation_;
  bool is_checked_ = false;
  InterpreterOptions options_;
  int num_threads_ = -1;
  std::vector<TfLiteDelegate*> delegates_;
  std::unique_ptr<Profiler> telemetry_profiler_;
  // By operator code of the model; registrations for unknown custom operators are our own.
  std::vector<const TfLiteRegistration*> registrations_;
  std::vector<std::unique_ptr<TfLiteRegistration>> unresolved_;
  bool has_float_tensor_ = false;
};

namespace impl {
using InterpreterBuilder = ::tflite::InterpreterBuilder;
}  // namespace impl

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_INTERPRETER_BUILDER_H_
