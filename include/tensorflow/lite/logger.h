// SPDX-License-Identifier: Apache-2.0
// Control over what the runtime logs.
#ifndef TERN_TENSORFLOW_LITE_LOGGER_H_
#define TERN_TENSORFLOW_LITE_LOGGER_H_

namespace tflite {

enum LogSeverity {
  TFLITE_LOG_VERBOSE = 0,
  TFLITE_LOG_INFO = 1,
  TFLITE_LOG_WARNING = 2,
  TFLITE_LOG_ERROR = 3,
  TFLITE_LOG_SILENT = 4,
};

// Messages below the minimum are dropped. It starts as VERBOSE on Android and in debug builds, else
// as INFO.
class LoggerOptions {
 public:
  static LogSeverity GetMinimumLogSeverity();

  // Returns the minimum that it replaces.
  static LogSeverity SetMinimumLogSeverity(LogSeverity new_severity);
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_LOGGER_H_
