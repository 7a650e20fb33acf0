// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/c/async_signature_runner.h.
#ifndef TERN_TENSORFLOW_LITE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_
#define TERN_TENSORFLOW_LITE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_

#include "tensorflow/lite/core/async/c/async_signature_runner.h"

#endif  // TERN_TENSORFLOW_LITE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_
