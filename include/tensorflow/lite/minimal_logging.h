// SPDX-License-Identifier: Apache-2.0
// Logging: one line `<SEVERITY>: <message>` on standard error per message (on Android also logcat,
// tag "tflite").
#ifndef TERN_TENSORFLOW_LITE_MINIMAL_LOGGING_H_
#define TERN_TENSORFLOW_LITE_MINIMAL_LOGGING_H_

#include <cstdarg>

#include "tensorflow/lite/logger.h"

namespace tflite {
namespace logging_internal {

class MinimalLogger {
 public:
  // printf form; adds the line end.
  static void Log(LogSeverity severity, const char* format, ...);
  static void LogFormatted(LogSeverity severity, const char* format, va_list args);

  static LogSeverity GetMinimumLogSeverity();
  static LogSeverity SetMinimumLogSeverity(LogSeverity new_severity);

 private:
  static const char* GetSeverityName(LogSeverity severity);
};

}  // namespace logging_internal
}  // namespace tflite

// TFLITE_LOG_PROD(severity, format, ...): in every build.
#define TFLITE_LOG_PROD(severity, ...) \
  ::tflite::logging_internal::MinimalLogger::Log(severity, __VA_ARGS__)

// The same, once per place in the source.
#define TFLITE_LOG_PROD_ONCE(severity, ...)      \
  do {                                           \
    static const bool tflite_logged_once = [&] { \
      TFLITE_LOG_PROD(severity, __VA_ARGS__);    \
      return true;                               \
    }();                                         \
    (void)tflite_logged_once;                    \
  } while (false)

// TFLITE_LOG and TFLITE_LOG_ONCE: in debug builds only; the arguments are not evaluated otherwise.
#ifndef NDEBUG
#define TFLITE_LOG TFLITE_LOG_PROD
#define TFLITE_LOG_ONCE TFLITE_LOG_PROD_ONCE
#else
#define TFLITE_LOG(severity, ...)             \
  do {                                        \
    if (false) {                              \
      TFLITE_LOG_PROD(severity, __VA_ARGS__); \
    }                                         \
  } while (false)
#define TFLITE_LOG_ONCE TFLITE_LOG
#endif

#endif  // TERN_TENSORFLOW_LITE_MINIMAL_LOGGING_H_
