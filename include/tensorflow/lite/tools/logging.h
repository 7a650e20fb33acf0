// SPDX-License-Identifier: Apache-2.0
// Logging of tools by streams: TFLITE_LOG(INFO) << "...". It takes the name of the macro of
// minimal_logging.h, so a source file uses one of the two and includes this header last.
#ifndef TERN_TENSORFLOW_LITE_TOOLS_LOGGING_H_
#define TERN_TENSORFLOW_LITE_TOOLS_LOGGING_H_

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "tensorflow/lite/minimal_logging.h"

#ifdef _WIN32
#undef ERROR
#endif

namespace tflite {
namespace logging {

// Writes one line when it ends: INFO and WARN to standard output, ERROR and FATAL to standard
// error. FATAL ends the program.
class LoggingWrapper {
 public:
  enum class LogSeverity : int { VERBOSE = -1, INFO = 0, WARN = 1, ERROR = 2, FATAL = 3 };

  explicit LoggingWrapper(LogSeverity severity, bool log = true) : severity_(severity), log_(log) {}
  LoggingWrapper(const LoggingWrapper&) = delete;
  LoggingWrapper& operator=(const LoggingWrapper&) = delete;
  ~LoggingWrapper() {
    if (!log_) return;
    std::ostream& out = severity_ >= LogSeverity::ERROR ? std::cerr : std::cout;
    out << Name() << ": " << stream_.str() << std::endl;
    if (severity_ == LogSeverity::FATAL) std::abort();
  }

  std::stringstream& Stream() { return stream_; }

 private:
  const char* Name() const {
    switch (severity_) {
      case LogSeverity::VERBOSE:
        return "VERBOSE";
      case LogSeverity::INFO:
        return "INFO";
      case LogSeverity::WARN:
        return "WARN";
      case LogSeverity::ERROR:
        return "ERROR";
      case LogSeverity::FATAL:
        break;
    }
    return "FATAL";
  }

  std::stringstream stream_;
  LogSeverity severity_;
  bool log_;
};

}  // namespace logging
}  // namespace tflite

#undef TFLITE_LOG
#define TFLITE_LOG(severity) TFLITE_MAY_LOG(severity, true)

#define TFLITE_MAY_LOG(severity, should_log)                                                  \
  ::tflite::logging::LoggingWrapper(::tflite::logging::LoggingWrapper::LogSeverity::severity, \
                                    static_cast<bool>(should_log))                            \
      .Stream()

#define TFLITE_TOOLS_CHECK(condition) TFLITE_MAY_LOG(FATAL, !(condition))
#define TFLITE_TOOLS_CHECK_EQ(a, b) TFLITE_TOOLS_CHECK((a) == (b))
#define TFLITE_BENCHMARK_CHECK(condition) TFLITE_TOOLS_CHECK(condition)
#define TFLITE_BENCHMARK_CHECK_EQ(a, b) TFLITE_TOOLS_CHECK_EQ(a, b)

#endif  // TERN_TENSORFLOW_LITE_TOOLS_LOGGING_H_
