// SPDX-License-Identifier: Apache-2.0
//
// The header of Verify under its other path.
#ifndef TERN_TENSORFLOW_LITE_TOOLS_VERIFIER_H_
#define TERN_TENSORFLOW_LITE_TOOLS_VERIFIER_H_

#include "tensorflow/lite/core/tools/verifier.h"

#endif  // TERN_TENSORFLOW_LITE_TOOLS_VERIFIER_H_
