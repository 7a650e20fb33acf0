// SPDX-License-Identifier: Apache-2.0
//
// InterpreterBuilder: the order of construction, operators and delegates. load_graph.cc reads the
// graphs themselves.
#include "tensorflow/lite/core/interpreter_builder.h"

#include <string>
#include <utility>

#include "api/interpreter/file_bytes.h"
#include "api/profiling/telemetry_settings.h"
#include "model/metadata.h"
#include "model/verify_model.h"
#include "tensorflow/lite/schema/schema_utils.h"
#include "tensorflow/lite/util.h"
#include "tensorflow/lite/version.h"

namespace tflite {

InterpreterBuilder::InterpreterBuilder(const FlatBufferModel& model, const OpResolver& op_resolver,
                                       const InterpreterOptions* options_experimental)
    : model_(model.GetModel()),
      op_resolver_(op_resolver),
      error_reporter_(model.error_reporter() != nullptr ? model.error_reporter()
                                                        : DefaultErrorReporter()),
      allocation_(model.allocation()) {
  if (options_experimental != nullptr) options_ = *options_experimental;
}

InterpreterBuilder::InterpreterBuilder(const std::unique_ptr<FlatBufferModel>& model,
                                       const OpResolver& op_resolver,
                                       const InterpreterOptions* options_experimental)
    : model_(model != nullptr ? model->GetModel() : nullptr),
      op_resolver_(op_resolver),
      error_reporter_(model != nullptr && model->error_reporter() != nullptr
                          ? model->error_reporter()
                          : DefaultErrorReporter()),
      allocation_(model != nullptr ? model->allocation() : nullptr) {
  if (options_experimental != nullptr) options_ = *options_experimental;
}

InterpreterBuilder::InterpreterBuilder(const ::tflite::Model* model, const OpResolver& op_resolver,
                                       ErrorReporter* error_reporter,
                                       const InterpreterOptions* options_experimental,
                                       const Allocation* allocation)
    : model_(model),
      op_resolver_(op_resolver),
      error_reporter_(error_reporter != nullptr ? error_reporter : DefaultErrorReporter()),
      allocation_(allocation) {
  if (options_experimental != nullptr) options_ = *options_experimental;
}

InterpreterBuilder::~InterpreterBuilder() = default;

TfLiteStatus InterpreterBuilder::SetNumThreads(int num_threads) {
  if (num_threads < -1) {
    error_reporter_->Report(
        "num_threads should be >= 0 or just -1 to let TFLite runtime set the value.");
    return kTfLiteError;
  }
  num_threads_ = num_threads;
  return kTfLiteOk;
}

void InterpreterBuilder::AddDelegate(TfLiteDelegate* delegate) {
  if (delegate == nullptr) {
    error_reporter_->Report("Null delegate.");
    return;
  }
  delegates_.push_back(delegate);
}

void InterpreterBuilder::AddDelegate(TfLiteOpaqueDelegateStruct* delegate) {
  AddDelegate(reinterpret_cast<TfLiteDelegate*>(delegate));
}

TfLiteStatus InterpreterBuilder::operator()(std::unique_ptr<Interpreter>* interpreter,
                                            int num_threads) {
  const TfLiteStatus status = SetNumThreads(num_threads);
  if (status != kTfLiteOk) {
    if (interpreter != nullptr) interpreter->reset();
    return status;
  }
  return (*this)(interpreter);
}

TfLiteStatus InterpreterBuilder::operator()(std::unique_ptr<Interpreter>* interpreter) {
  if (interpreter == nullptr) {
    error_reporter_->Report("Null output pointer passed to InterpreterBuilder.");
    return kTfLiteError;
  }
  interpreter->reset();
  auto built = std::make_unique<Interpreter>(error_reporter_);
  built->AddProfiler(std::move(telemetry_profiler_));
  TF_LITE_ENSURE_STATUS(Build(built.get()));
  *interpreter = std::move(built);
  return kTfLiteOk;
}

TfLiteStatus InterpreterBuilder::Build(Interpreter* interpreter) {
  TF_LITE_ENSURE_STATUS(CheckModel());
  if (BuildOperatorMap() != kTfLiteOk) {
    error_reporter_->Report("Registration failed.\n");
    return kTfLiteError;
  }
  TF_LITE_ENSURE_STATUS(interpreter->ApplyOptions(&options_));
  TF_LITE_ENSURE_STATUS(LoadSubgraphs(interpreter));
  TF_LITE_ENSURE_STATUS(interpreter->SetNumThreads(num_threads_));
  TF_LITE_ENSURE_STATUS(LoadSignatures(interpreter));
  TF_LITE_ENSURE_STATUS(interpreter->SetMetadata(tern::ReadAllMetadata(*model_)));
  tern::ReportTelemetrySettings(*interpreter, *model_);
  if (has_float_tensor_) interpreter->lazy_delegate_providers_ = op_resolver_.GetDelegateCreators();
  return ApplyDelegates(interpreter);
}

TfLiteStatus InterpreterBuilder::CheckModel() {
  if (model_ == nullptr) {
    error_reporter_->Report("Null pointer passed in as model.");
    return kTfLiteError;
  }
  if (model_->version() != TFLITE_SCHEMA_VERSION) {
    error_reporter_->Report(
        "Model provided is schema version %d not equal to supported version %d.\n",
        static_cast<int>(model_->version()), TFLITE_SCHEMA_VERSION);
    return kTfLiteError;
  }
  if (model_->subgraphs() == nullptr || model_->subgraphs()->size() == 0) {
    error_reporter_->Report("No subgraph in the model.\n");
    return kTfLiteError;
  }
  if (model_->buffers() == nullptr) {
    error_reporter_->Report("No buffers in the model.\n");
    return kTfLiteError;
  }
  if (is_checked_) return kTfLiteOk;
  const tern::Status status = tern::VerifyModel(*model_, tern::FileBytes(allocation_));
  if (!status.ok()) {
    error_reporter_->Report("%s", std::string(tern::Message(status)).c_str());
    return kTfLiteError;
  }
  is_checked_ = true;
  return kTfLiteOk;
}

TfLiteStatus InterpreterBuilder::BuildOperatorMap() {
  registrations_.clear();
  if (model_->operator_codes() == nullptr) return kTfLiteOk;
  TfLiteStatus result = kTfLiteOk;
  for (const OperatorCode* code : *model_->operator_codes()) {
    const TfLiteRegistration* registration = nullptr;
    TfLiteStatus status =
        GetRegistrationFromOpCode(code, op_resolver_, error_reporter_, &registration);
    const bool is_named_custom =
        GetBuiltinCode(code) == BuiltinOperator_CUSTOM && code->custom_code() != nullptr;
    if (status != kTfLiteOk && is_named_custom) {
      // A delegate may take it; if none does, it fails when it prepares.
      unresolved_.push_back(std::make_unique<TfLiteRegistration>(
          CreateUnresolvedCustomOp(code->custom_code()->c_str())));
      registration = unresolved_.back().get();
      status = kTfLiteOk;
    }
    if (status != kTfLiteOk) result = status;
    registrations_.push_back(registration);
  }
  return result;
}

TfLiteStatus InterpreterBuilder::ApplyDelegates(Interpreter* interpreter) {
  for (TfLiteDelegate* delegate : delegates_) {
    const TfLiteStatus status = interpreter->ModifyGraphWithDelegate(delegate);
    if (status != kTfLiteOk) {
      error_reporter_->Report("Failed to apply delegates.\n");
      return status;
    }
  }
  return kTfLiteOk;
}

}  // namespace tflite
