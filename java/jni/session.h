// SPDX-License-Identifier: Apache-2.0
// The state of one Java interpreter on this side of JNI.
#ifndef TERN_JAVA_JNI_SESSION_H_
#define TERN_JAVA_JNI_SESSION_H_

#include <atomic>
#include <cstdarg>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/profiling/telemetry/c/profiler.h"

namespace tern::java {

// The messages that the runtime reported since they were last taken, a line each. Safe to use from
// several threads.
class ErrorText {
 public:
  // An error reporter of the C API; user_data is the ErrorText.
  static void Report(void* user_data, const char* format, va_list args);
  // Takes the text, without the last line's end.
  std::string Take();

 private:
  std::mutex mutex_;
  std::string text_;
};

template <typename T, void (*kDelete)(T*)>
struct Deleter {
  void operator()(T* object) const { kDelete(object); }
};
using Model = std::unique_ptr<TfLiteModel, Deleter<TfLiteModel, TfLiteModelDelete>>;
using Interpreter =
    std::unique_ptr<TfLiteInterpreter, Deleter<TfLiteInterpreter, TfLiteInterpreterDelete>>;
using Runner = std::unique_ptr<TfLiteSignatureRunner,
                               Deleter<TfLiteSignatureRunner, TfLiteSignatureRunnerDelete>>;

// Members end in the opposite order. Used by one thread at a time, but for SetCancelled.
struct Session {
  ErrorText errors;
  // Runs fail as long as this is set, also those that begin later: other than the C API's own flag,
  // which each run clears when it begins.
  std::atomic<bool> cancelled{false};
  // Told of each operation, so that a flag that was set just before a run began ends it as well.
  TfLiteTelemetryProfilerStruct watcher = {};
  bool has_delegates = false;  // whose drivers may be called by what follows
  Model model;
  Interpreter interpreter;
  std::map<std::string, Runner> runners;  // by signature key
};

// Safe on any thread while the session lives. The interpreter was made with cancellation and the
// watcher.
void SetCancelled(Session* session, bool cancelled);
void WatchForCancel(Session* session, TfLiteInterpreterOptions* options);

// Names a tensor across resizes, which may move it: the graph's input or output at a position, or
// that of a signature.
struct TensorName {
  Session* session;
  TfLiteSignatureRunner* runner;  // null: of the graph
  bool is_output;
  int position;
};

// Null where there is none.
TfLiteTensor* FindTensor(const TensorName& name);

}  // namespace tern::java

#endif  // TERN_JAVA_JNI_SESSION_H_
