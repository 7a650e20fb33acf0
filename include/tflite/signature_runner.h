// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/signature_runner.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_SIGNATURE_RUNNER_H_
#define TERN_TFLITE_SIGNATURE_RUNNER_H_

#include "tensorflow/lite/signature_runner.h"

#endif  // TERN_TFLITE_SIGNATURE_RUNNER_H_
