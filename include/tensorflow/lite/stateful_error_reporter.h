// SPDX-License-Identifier: Apache-2.0
// An error reporter that can be asked for what it has heard.
#ifndef TERN_TENSORFLOW_LITE_STATEFUL_ERROR_REPORTER_H_
#define TERN_TENSORFLOW_LITE_STATEFUL_ERROR_REPORTER_H_

#include <string>

#include "tensorflow/lite/core/api/error_reporter.h"

namespace tflite {

class StatefulErrorReporter : public ErrorReporter {
 public:
  // The messages so far, in the implementation's own form.
  virtual std::string message() = 0;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_STATEFUL_ERROR_REPORTER_H_
