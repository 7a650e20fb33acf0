// SPDX-License-Identifier: Apache-2.0
// Where the runtime sends its printf-formatted error texts.
#ifndef TERN_TENSORFLOW_LITE_CORE_API_ERROR_REPORTER_H_
#define TERN_TENSORFLOW_LITE_CORE_API_ERROR_REPORTER_H_

#include <cstdarg>

namespace tflite {

// Implement the va_list form; it may be called from any thread that runs an interpreter.
class ErrorReporter {
 public:
  virtual ~ErrorReporter() = default;

  // Takes one message; the result is the implementation's own (number of characters, by habit).
  virtual int Report(const char* format, va_list args) = 0;

  int Report(const char* format, ...);

  // The first argument is ignored.
  int ReportError(void* context, const char* format, ...);
};

}  // namespace tflite

#ifndef TF_LITE_STRIP_ERROR_STRINGS
#define TF_LITE_REPORT_ERROR(reporter, ...)                               \
  do {                                                                    \
    static_cast<::tflite::ErrorReporter*>(reporter)->Report(__VA_ARGS__); \
  } while (false)
#else
#define TF_LITE_REPORT_ERROR(reporter, ...) \
  do {                                      \
    (void)(reporter);                       \
  } while (false)
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_API_ERROR_REPORTER_H_
