// SPDX-License-Identifier: Apache-2.0
// An error reporter that keeps its messages. Header-only.
#ifndef TERN_MODEL_TESTING_RECORDING_REPORTER_H_
#define TERN_MODEL_TESTING_RECORDING_REPORTER_H_

#include <cstdarg>
#include <cstdio>
#include <string>
#include <vector>

#include "tensorflow/lite/core/api/error_reporter.h"

namespace tern::testing {

class RecordingReporter : public tflite::ErrorReporter {
 public:
  using tflite::ErrorReporter::Report;
  int Report(const char* format, va_list args) override {
    char line[4096];
    const int length = std::vsnprintf(line, sizeof(line), format, args);
    messages.emplace_back(line);
    text += messages.back() + '\n';
    return length;
  }
  bool Has(const std::string& part) const { return text.find(part) != std::string::npos; }

  std::vector<std::string> messages;
  std::string text;  // all of them, a line each
};

}  // namespace tern::testing

#endif  // TERN_MODEL_TESTING_RECORDING_REPORTER_H_
