// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/async/c/async_signature_runner.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_
#define TERN_TFLITE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_

#include "tensorflow/lite/async/c/async_signature_runner.h"

#endif  // TERN_TFLITE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_
