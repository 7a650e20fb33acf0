// SPDX-License-Identifier: Apache-2.0
//
// The header of SignatureRunner under its usual path.
#ifndef TERN_TENSORFLOW_LITE_SIGNATURE_RUNNER_H_
#define TERN_TENSORFLOW_LITE_SIGNATURE_RUNNER_H_

#include "tensorflow/lite/core/signature_runner.h"

#endif  // TERN_TENSORFLOW_LITE_SIGNATURE_RUNNER_H_
