// SPDX-License-Identifier: Apache-2.0
// Collects what the runtime reports, for the exception that a call ends with.
#ifndef TERN_PYTHON_SRC_ERROR_LOG_H_
#define TERN_PYTHON_SRC_ERROR_LOG_H_

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

#include "tensorflow/lite/core/api/error_reporter.h"

namespace tern::python {

// Reports may come from threads that do not hold Python's lock.
class ErrorLog : public tflite::ErrorReporter {
 public:
  using tflite::ErrorReporter::Report;

  int Report(const char* format, va_list args) override {
    va_list again;
    va_copy(again, args);
    const int size = std::vsnprintf(nullptr, 0, format, args);
    std::string line(size > 0 ? static_cast<size_t>(size) + 1 : 1, '\0');
    std::vsnprintf(line.data(), line.size(), format, again);
    va_end(again);
    line.pop_back();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    text_ += line;
    return size;
  }

  // The lines since the last call.
  std::string Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    while (!text_.empty() && text_.back() == '\n') text_.pop_back();
    return std::exchange(text_, {});
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

}  // namespace tern::python

#endif  // TERN_PYTHON_SRC_ERROR_LOG_H_
