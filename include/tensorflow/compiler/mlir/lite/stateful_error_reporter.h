// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/stateful_error_reporter.h (tools/make_forwards.py).
#ifndef TERN_TENSORFLOW_COMPILER_MLIR_LITE_STATEFUL_ERROR_REPORTER_H_
#define TERN_TENSORFLOW_COMPILER_MLIR_LITE_STATEFUL_ERROR_REPORTER_H_

#include "tensorflow/lite/stateful_error_reporter.h"

#endif  // TERN_TENSORFLOW_COMPILER_MLIR_LITE_STATEFUL_ERROR_REPORTER_H_
