// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/tools/evaluation/utils.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_TOOLS_EVALUATION_UTILS_H_
#define TERN_TFLITE_TOOLS_EVALUATION_UTILS_H_

#include "tensorflow/lite/tools/evaluation/utils.h"

#endif  // TERN_TFLITE_TOOLS_EVALUATION_UTILS_H_
