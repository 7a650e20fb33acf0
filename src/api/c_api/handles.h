// SPDX-License-Identifier: Apache-2.0
// The structs behind the handles of the C API.
#ifndef TERN_API_C_API_HANDLES_H_
#define TERN_API_C_API_HANDLES_H_

#include <cstdarg>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/c/c_api.h"
#include "tensorflow/lite/core/c/c_api_experimental.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/model.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "tensorflow/lite/profiling/telemetry/c/profiler.h"
#include "tensorflow/lite/signature_runner.h"

namespace tern::c_api {

// The application's reporting function.
struct ReporterCallback {
  void* user_data = nullptr;
  void (*report)(void* user_data, const char* format, va_list args) = nullptr;
};

// An ErrorReporter that calls it, or the default reporter when there is none.
class CallbackReporter : public tflite::ErrorReporter {
 public:
  explicit CallbackReporter(ReporterCallback callback) : callback_(callback) {}
  using tflite::ErrorReporter::Report;
  int Report(const char* format, va_list args) override;

 private:
  const ReporterCallback callback_;
};

// A model and the reporter that it points to.
struct SharedModel {
  explicit SharedModel(ReporterCallback callback) : callback(callback), reporter(callback) {}
  const ReporterCallback callback;
  CallbackReporter reporter;
  std::unique_ptr<tflite::FlatBufferModel> model;
};

// The application's lookup functions; null members are not asked.
struct ResolverCallbacks {
  void* user_data = nullptr;
  const TfLiteOperator* (*find_builtin_external)(void*, int, int) = nullptr;
  const TfLiteOperator* (*find_custom_external)(void*, const char*, int) = nullptr;
  const TfLiteRegistration* (*find_builtin)(void*, TfLiteBuiltinOperator, int) = nullptr;
  const TfLiteRegistration* (*find_custom)(void*, const char*, int) = nullptr;
  const TfLiteRegistration_V3* (*find_builtin_v3)(void*, TfLiteBuiltinOperator, int) = nullptr;
  const TfLiteRegistration_V3* (*find_custom_v3)(void*, const char*, int) = nullptr;
  const TfLiteRegistration_V2* (*find_builtin_v2)(void*, TfLiteBuiltinOperator, int) = nullptr;
  const TfLiteRegistration_V2* (*find_custom_v2)(void*, const char*, int) = nullptr;
  const TfLiteRegistration_V1* (*find_builtin_v1)(void*, TfLiteBuiltinOperator, int) = nullptr;
  const TfLiteRegistration_V1* (*find_custom_v1)(void*, const char*, int) = nullptr;

  bool any() const;
};

// Asks the callbacks; what they return is converted to the current layout and kept.
class CallbackOpResolver : public tflite::OpResolver {
 public:
  explicit CallbackOpResolver(const ResolverCallbacks& callbacks) : callbacks_(callbacks) {}
  const TfLiteRegistration* FindOp(tflite::BuiltinOperator op, int version) const override;
  const TfLiteRegistration* FindOp(const char* op, int version) const override;

 private:
  const TfLiteRegistration* Keep(const TfLiteRegistration& registration) const;

  const ResolverCallbacks callbacks_;
  mutable std::deque<TfLiteRegistration> kept_;
};

// True, with a log line that names the C function, when the caller passed no object.
bool IsNull(const void* object, const char* function);

template <class... Objects>
bool AnyIsNull(const char* function, const Objects*... objects) {
  return (IsNull(objects, function) || ...);
}

// The shape that the caller of a C function gave; none, with a log line, for a wrong array.
std::optional<std::vector<int>> ShapeOf(const int* dims, int32_t count, const char* function);

// Makes an interpreter; `base` holds the operations to start from.
TfLiteInterpreter* CreateInterpreter(const TfLiteModel* model,
                                     const TfLiteInterpreterOptions* options,
                                     std::unique_ptr<tflite::MutableOpResolver> base);

}  // namespace tern::c_api

struct TfLiteModel {
  std::shared_ptr<const tern::c_api::SharedModel> shared;
};

struct TfLiteInterpreterOptions {
  int num_threads = -1;
  bool enable_cancellation = false;
  bool enable_delegate_fallback = false;
  std::vector<TfLiteDelegate*> delegates;
  tern::c_api::ReporterCallback reporter;
  tern::c_api::ResolverCallbacks resolver;
  tflite::MutableOpResolver operations;
  TfLiteTelemetryProfilerStruct* telemetry = nullptr;
};

// The members before the interpreter must outlive it.
struct TfLiteInterpreter {
  std::shared_ptr<const tern::c_api::SharedModel> model;
  std::unique_ptr<tern::c_api::CallbackReporter> reporter;
  std::unique_ptr<tflite::OpResolver> resolver;
  bool enable_delegate_fallback = false;
  std::unique_ptr<tflite::Interpreter> impl;
};

struct TfLiteSignatureRunner {
  tflite::SignatureRunner* impl;  // owned by the interpreter
};

#endif  // TERN_API_C_API_HANDLES_H_
