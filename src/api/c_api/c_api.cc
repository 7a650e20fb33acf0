// SPDX-License-Identifier: Apache-2.0
// The C API: models, options, making and running interpreters.
#include "tensorflow/lite/core/c/c_api.h"

#include <utility>

#include "abi/operator.h"
#include "api/c_api/handles.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/create_op_resolver.h"
#include "tensorflow/lite/delegates/interpreter_utils.h"
#include "tensorflow/lite/minimal_logging.h"
#include "tensorflow/lite/profiling/telemetry/profiler.h"
#include "tensorflow/lite/version.h"

namespace tern::c_api {

int CallbackReporter::Report(const char* format, va_list args) {
  if (callback_.report == nullptr) {
    return tflite::DefaultErrorReporter()->Report(format, args);
  }
  callback_.report(callback_.user_data, format, args);
  return 0;
}

bool IsNull(const void* object, const char* function) {
  if (object != nullptr) return false;
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "%s was called with a null pointer.", function);
  return true;
}

std::optional<std::vector<int>> ShapeOf(const int* dims, int32_t count, const char* function) {
  if (count < 0) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "%s: a shape cannot have %d dimensions.", function,
                    count);
    return std::nullopt;
  }
  if (count > 0 && IsNull(dims, function)) return std::nullopt;
  return std::vector<int>(dims, dims + count);
}

namespace {

TfLiteModel* Wrap(std::shared_ptr<SharedModel> shared) {
  if (shared->model == nullptr) {
    return nullptr;
  }
  return new TfLiteModel{std::move(shared)};
}

std::unique_ptr<tflite::OpResolver> MakeResolver(const TfLiteInterpreterOptions* options,
                                                 std::unique_ptr<tflite::MutableOpResolver> base) {
  if (options == nullptr) {
    return base;
  }
  if (options->resolver.any()) {
    return std::make_unique<CallbackOpResolver>(options->resolver);
  }
  base->AddAll(options->operations);
  return base;
}

// After the profiler is there, which hears of it.
bool ApplyDelegates(const std::vector<TfLiteDelegate*>& delegates, TfLiteInterpreter* interpreter) {
  for (TfLiteDelegate* delegate : delegates) {
    if (TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate) == kTfLiteOk) continue;
    interpreter->reporter->Report("Failed to apply delegates.\n");
    return false;
  }
  return true;
}

}  // namespace

TfLiteInterpreter* CreateInterpreter(const TfLiteModel* model,
                                     const TfLiteInterpreterOptions* options,
                                     std::unique_ptr<tflite::MutableOpResolver> base) {
  auto result = std::make_unique<TfLiteInterpreter>();
  result->model = model->shared;
  const bool has_reporter = options != nullptr && options->reporter.report != nullptr;
  result->reporter = std::make_unique<CallbackReporter>(has_reporter ? options->reporter
                                                                     : model->shared->callback);
  result->resolver = MakeResolver(options, std::move(base));
  tflite::InterpreterBuilder builder(model->shared->model->GetModel(), *result->resolver,
                                     result->reporter.get(), /*options_experimental=*/nullptr,
                                     model->shared->model->allocation());
  if (options != nullptr) {
    result->enable_delegate_fallback = options->enable_delegate_fallback;
    if (options->num_threads != -1 && builder.SetNumThreads(options->num_threads) != kTfLiteOk) {
      return nullptr;
    }
    builder.SetTelemetryProfiler(std::unique_ptr<tflite::telemetry::TelemetryProfiler>(
        tflite::telemetry::MakeTfLiteTelemetryProfiler(options->telemetry)));
  }
  if (builder(&result->impl) != kTfLiteOk || result->impl == nullptr) {
    return nullptr;
  }
  if (options != nullptr && !ApplyDelegates(options->delegates, result.get())) {
    return nullptr;
  }
  if (options != nullptr && options->enable_cancellation &&
      result->impl->EnableCancellation() != kTfLiteOk) {
    return nullptr;
  }
  return result.release();
}

}  // namespace tern::c_api

using tern::c_api::IsNull;
using tern::c_api::ReporterCallback;
using tern::c_api::SharedModel;

const char* TfLiteVersion(void) { return TFLITE_VERSION_STRING; }

const char* TfLiteExtensionApisVersion(void) { return TFLITE_EXTENSION_APIS_VERSION_STRING; }

int TfLiteSchemaVersion(void) { return TFLITE_SCHEMA_VERSION; }

TfLiteModel* TfLiteModelCreate(const void* model_data, size_t model_size) {
  return TfLiteModelCreateWithErrorReporter(model_data, model_size, nullptr, nullptr);
}

TfLiteModel* TfLiteModelCreateWithErrorReporter(const void* model_data, size_t model_size,
                                                void (*reporter)(void* user_data,
                                                                 const char* format, va_list args),
                                                void* user_data) {
  auto shared = std::make_shared<SharedModel>(ReporterCallback{user_data, reporter});
  shared->model = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
      static_cast<const char*>(model_data), model_size, nullptr, &shared->reporter);
  return tern::c_api::Wrap(std::move(shared));
}

TfLiteModel* TfLiteModelCreateFromFile(const char* model_path) {
  return TfLiteModelCreateFromFileWithErrorReporter(model_path, nullptr, nullptr);
}

TfLiteModel* TfLiteModelCreateFromFileWithErrorReporter(
    const char* model_path, void (*reporter)(void* user_data, const char* format, va_list args),
    void* user_data) {
  auto shared = std::make_shared<SharedModel>(ReporterCallback{user_data, reporter});
  shared->model =
      tflite::FlatBufferModel::VerifyAndBuildFromFile(model_path, nullptr, &shared->reporter);
  return tern::c_api::Wrap(std::move(shared));
}

void TfLiteModelDelete(TfLiteModel* model) { delete model; }

TfLiteInterpreterOptions* TfLiteInterpreterOptionsCreate(void) {
  return new TfLiteInterpreterOptions;
}

TfLiteInterpreterOptions* TfLiteInterpreterOptionsCopy(const TfLiteInterpreterOptions* from) {
  return from == nullptr ? nullptr : new TfLiteInterpreterOptions(*from);
}

void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions* options) { delete options; }

void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions* options, int32_t num_threads) {
  if (IsNull(options, __func__)) return;
  options->num_threads = num_threads;
}

void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions* options,
                                         TfLiteOpaqueDelegate* delegate) {
  if (IsNull(options, __func__)) return;
  if (IsNull(delegate, __func__)) return;
  options->delegates.push_back(reinterpret_cast<TfLiteDelegate*>(delegate));
}

void TfLiteInterpreterOptionsSetErrorReporter(TfLiteInterpreterOptions* options,
                                              void (*reporter)(void* user_data, const char* format,
                                                               va_list args),
                                              void* user_data) {
  if (IsNull(options, __func__)) return;
  options->reporter = {user_data, reporter};
}

void TfLiteInterpreterOptionsAddOperator(TfLiteInterpreterOptions* options,
                                         TfLiteOperator* registration) {
  if (IsNull(options, __func__)) return;
  if (registration == nullptr || registration->given_name == nullptr) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "AddOperator needs an operator with a custom name.");
    return;
  }
  const TfLiteRegistration plain = tern::RegistrationOf(registration);
  options->operations.AddCustom(registration->custom_name.c_str(), &plain, registration->version);
}

TfLiteStatus TfLiteInterpreterOptionsEnableCancellation(TfLiteInterpreterOptions* options,
                                                        bool enable) {
  if (IsNull(options, __func__)) return kTfLiteError;
  options->enable_cancellation = enable;
  return kTfLiteOk;
}

TfLiteInterpreter* TfLiteInterpreterCreate(const TfLiteModel* model,
                                           const TfLiteInterpreterOptions* optional_options) {
  if (IsNull(model, __func__)) return nullptr;
  return tern::c_api::CreateInterpreter(model, optional_options, tflite::CreateOpResolver());
}

void TfLiteInterpreterDelete(TfLiteInterpreter* interpreter) { delete interpreter; }

int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return 0;
  return static_cast<int32_t>(interpreter->impl->inputs().size());
}

const int* TfLiteInterpreterInputTensorIndices(const TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return nullptr;
  return interpreter->impl->inputs().data();
}

TfLiteTensor* TfLiteInterpreterGetInputTensor(const TfLiteInterpreter* interpreter,
                                              int32_t input_index) {
  if (IsNull(interpreter, __func__)) return nullptr;
  const int tensor = TfLiteInterpreterGetInputTensorIndex(interpreter, input_index);
  return tensor < 0 ? nullptr : interpreter->impl->tensor(tensor);
}

TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter* interpreter, int32_t input_index,
                                                const int* input_dims, int32_t input_dims_size) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  const auto shape = tern::c_api::ShapeOf(input_dims, input_dims_size, __func__);
  if (!shape.has_value()) return kTfLiteError;
  const int tensor = TfLiteInterpreterGetInputTensorIndex(interpreter, input_index);
  if (tensor < 0) {
    interpreter->reporter->Report("Input %d is out of range: there are %d.", input_index,
                                  TfLiteInterpreterGetInputTensorCount(interpreter));
    return kTfLiteError;
  }
  return interpreter->impl->ResizeInputTensor(tensor, *shape);
}

TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  return interpreter->impl->AllocateTensors();
}

TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  using tflite::delegates::InterpreterUtils;
  return interpreter->enable_delegate_fallback
             ? InterpreterUtils::InvokeWithCPUFallback(interpreter->impl.get())
             : interpreter->impl->Invoke();
}

int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return 0;
  return static_cast<int32_t>(interpreter->impl->outputs().size());
}

const int* TfLiteInterpreterOutputTensorIndices(const TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return nullptr;
  return interpreter->impl->outputs().data();
}

const TfLiteTensor* TfLiteInterpreterGetOutputTensor(const TfLiteInterpreter* interpreter,
                                                     int32_t output_index) {
  if (IsNull(interpreter, __func__)) return nullptr;
  const int tensor = TfLiteInterpreterGetOutputTensorIndex(interpreter, output_index);
  return tensor < 0 ? nullptr : interpreter->impl->tensor(tensor);
}

TfLiteTensor* TfLiteInterpreterGetTensor(const TfLiteInterpreter* interpreter, int index) {
  if (IsNull(interpreter, __func__)) return nullptr;
  return interpreter->impl->tensor(index);
}

TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  return interpreter->impl->Cancel();
}
