// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/async_signature_runner.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_ASYNC_ASYNC_SIGNATURE_RUNNER_H_
#define TERN_TFLITE_CORE_ASYNC_ASYNC_SIGNATURE_RUNNER_H_

#include "tensorflow/lite/core/async/async_signature_runner.h"

#endif  // TERN_TFLITE_CORE_ASYNC_ASYNC_SIGNATURE_RUNNER_H_
