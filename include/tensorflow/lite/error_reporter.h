// SPDX-License-Identifier: Apache-2.0
// Both parts of error reporting: the interface and the default reporter.
#ifndef TERN_TENSORFLOW_LITE_ERROR_REPORTER_H_
#define TERN_TENSORFLOW_LITE_ERROR_REPORTER_H_

#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/stderr_reporter.h"

#endif  // TERN_TENSORFLOW_LITE_ERROR_REPORTER_H_
