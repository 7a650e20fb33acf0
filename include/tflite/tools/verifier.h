// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/tools/verifier.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_TOOLS_VERIFIER_H_
#define TERN_TFLITE_TOOLS_VERIFIER_H_

#include "tensorflow/lite/tools/verifier.h"

#endif  // TERN_TFLITE_TOOLS_VERIFIER_H_
