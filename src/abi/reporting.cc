// SPDX-License-Identifier: Apache-2.0
// Logging, the error reporters, and the defaults of the profiler interface.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/error_reporter.h"
#include "tensorflow/lite/minimal_logging.h"

#ifdef __ANDROID__
#include <android/log.h>
#endif

namespace tflite {
namespace {

#if defined(__ANDROID__) || !defined(NDEBUG)
constexpr LogSeverity kUsualMinimum = TFLITE_LOG_VERBOSE;
#else
constexpr LogSeverity kUsualMinimum = TFLITE_LOG_INFO;
#endif

// For programs that no call of LoggerOptions reaches, as those in Python and Java.
LogSeverity MinimumAtStart() {
  const char* const given = std::getenv("TERN_LOG");
  if (given == nullptr || *given == '\0') return kUsualMinimum;
  constexpr const char* kNames[] = {"verbose", "info", "warning", "error", "silent"};
  for (int severity = TFLITE_LOG_VERBOSE; severity <= TFLITE_LOG_SILENT; ++severity) {
    if (std::strcmp(given, kNames[severity]) == 0) return static_cast<LogSeverity>(severity);
  }
  std::fprintf(stderr,
               "WARNING: TERN_LOG is '%s': expected verbose, info, warning, error or silent\n",
               given);
  return kUsualMinimum;
}

std::atomic<LogSeverity>& MinimumSeverity() {
  static std::atomic<LogSeverity> minimum{MinimumAtStart()};
  return minimum;
}

}  // namespace

LogSeverity LoggerOptions::GetMinimumLogSeverity() { return MinimumSeverity(); }

LogSeverity LoggerOptions::SetMinimumLogSeverity(LogSeverity new_severity) {
  return MinimumSeverity().exchange(new_severity);
}

namespace logging_internal {

LogSeverity MinimalLogger::GetMinimumLogSeverity() {
  return LoggerOptions::GetMinimumLogSeverity();
}

LogSeverity MinimalLogger::SetMinimumLogSeverity(LogSeverity new_severity) {
  return LoggerOptions::SetMinimumLogSeverity(new_severity);
}

const char* MinimalLogger::GetSeverityName(LogSeverity severity) {
  switch (severity) {
    case TFLITE_LOG_VERBOSE:
      return "VERBOSE";
    case TFLITE_LOG_INFO:
      return "INFO";
    case TFLITE_LOG_WARNING:
      return "WARNING";
    case TFLITE_LOG_ERROR:
      return "ERROR";
    case TFLITE_LOG_SILENT:
      return "SILENT";
  }
  return "<Unknown severity>";
}

void MinimalLogger::Log(LogSeverity severity, const char* format, ...) {
  va_list args;
  va_start(args, format);
  LogFormatted(severity, format, args);
  va_end(args);
}

void MinimalLogger::LogFormatted(LogSeverity severity, const char* format, va_list args) {
  if (severity < MinimumSeverity()) {
    return;
  }
#ifdef __ANDROID__
  static constexpr int kPriority[] = {ANDROID_LOG_VERBOSE, ANDROID_LOG_INFO, ANDROID_LOG_WARN,
                                      ANDROID_LOG_ERROR, ANDROID_LOG_SILENT};
  va_list android_args;
  va_copy(android_args, args);
  __android_log_vprint(kPriority[severity], "tflite", format, android_args);
  va_end(android_args);
#endif
  va_list measure;
  va_copy(measure, args);
  const int length = std::vsnprintf(nullptr, 0, format, measure);
  va_end(measure);
  // One write per line keeps the lines of several threads apart.
  std::string line = std::string(GetSeverityName(severity)) + ": ";
  if (length > 0) {
    const size_t head = line.size();
    line.resize(head + static_cast<size_t>(length) + 1);
    std::vsnprintf(&line[head], static_cast<size_t>(length) + 1, format, args);
    line.pop_back();
  }
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace logging_internal

int ErrorReporter::Report(const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int result = Report(format, args);
  va_end(args);
  return result;
}

int ErrorReporter::ReportError(void* /*context*/, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int result = Report(format, args);
  va_end(args);
  return result;
}

int StderrReporter::Report(const char* format, va_list args) {
  logging_internal::MinimalLogger::LogFormatted(TFLITE_LOG_ERROR, format, args);
  return 0;
}

ErrorReporter* DefaultErrorReporter() {
  static StderrReporter* const reporter = new StderrReporter;
  return reporter;
}

void Profiler::EndEvent(uint32_t event_handle, int64_t /*event_metadata1*/,
                        int64_t /*event_metadata2*/) {
  EndEvent(event_handle);
}

void Profiler::AddEvent(const char* /*tag*/, EventType /*event_type*/, uint64_t /*metric*/,
                        int64_t /*event_metadata1*/, int64_t /*event_metadata2*/) {}

void Profiler::AddEventWithData(const char* /*tag*/, EventType /*event_type*/,
                                const void* /*data*/) {}

}  // namespace tflite
