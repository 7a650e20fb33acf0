// SPDX-License-Identifier: Apache-2.0
// Collected reports, and tensors by name.
#include "session.h"

#include <cstdio>
#include <utility>

#include "tensorflow/lite/c/c_api_experimental.h"

namespace tern::java {
namespace {

// Of a text that nobody takes, as a run that fails again and again in another thread's words.
constexpr size_t kMostBytes = 16 << 10;

}  // namespace

void ErrorText::Report(void* user_data, const char* format, va_list args) {
  auto* const errors = static_cast<ErrorText*>(user_data);
  char line[2048];
  std::vsnprintf(line, sizeof(line), format, args);
  const std::lock_guard lock(errors->mutex_);
  if (errors->text_.size() > kMostBytes) return;
  errors->text_ += line;
  if (errors->text_.empty() || errors->text_.back() != '\n') errors->text_ += '\n';
}

std::string ErrorText::Take() {
  const std::lock_guard lock(mutex_);
  std::string text = std::exchange(text_, std::string());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void SetCancelled(Session* session, bool cancelled) {
  session->cancelled = cancelled;
  if (cancelled) TfLiteInterpreterCancel(session->interpreter.get());
}

void WatchForCancel(Session* session, TfLiteInterpreterOptions* options) {
  session->watcher.data = session;
  session->watcher.ReportBeginOpInvokeEvent = [](TfLiteTelemetryProfilerStruct* watcher,
                                                 const char*, int64_t, int64_t) -> uint32_t {
    const auto* const watched = static_cast<const Session*>(watcher->data);
    if (watched->cancelled) TfLiteInterpreterCancel(watched->interpreter.get());
    return 0;
  };
  TfLiteInterpreterOptionsEnableCancellation(options, true);
  TfLiteInterpreterOptionsSetTelemetryProfiler(options, &session->watcher);
}

// Inputs and outputs of the C API differ in const alone; strings are written into inputs only.
TfLiteTensor* FindTensor(const TensorName& name) {
  const TfLiteInterpreter* const interpreter = name.session->interpreter.get();
  if (name.runner == nullptr) {
    return name.is_output ? const_cast<TfLiteTensor*>(
                                TfLiteInterpreterGetOutputTensor(interpreter, name.position))
                          : TfLiteInterpreterGetInputTensor(interpreter, name.position);
  }
  const char* const text = name.is_output
                               ? TfLiteSignatureRunnerGetOutputName(name.runner, name.position)
                               : TfLiteSignatureRunnerGetInputName(name.runner, name.position);
  if (text == nullptr) return nullptr;
  return name.is_output
             ? const_cast<TfLiteTensor*>(TfLiteSignatureRunnerGetOutputTensor(name.runner, text))
             : TfLiteSignatureRunnerGetInputTensor(name.runner, text);
}

}  // namespace tern::java
