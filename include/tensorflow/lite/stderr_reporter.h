// SPDX-License-Identifier: Apache-2.0
// The error reporter that is used when the application gives none.
#ifndef TERN_TENSORFLOW_LITE_STDERR_REPORTER_H_
#define TERN_TENSORFLOW_LITE_STDERR_REPORTER_H_

#include <cstdarg>

#include "tensorflow/lite/core/api/error_reporter.h"

namespace tflite {

// Sends every message to the log at severity ERROR.
class StderrReporter : public ErrorReporter {
 public:
  using ErrorReporter::Report;
  int Report(const char* format, va_list args) override;
};

// One StderrReporter for the whole process; never NULL, never deleted.
ErrorReporter* DefaultErrorReporter();

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_STDERR_REPORTER_H_
