// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/tools/logging.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_TOOLS_LOGGING_H_
#define TERN_TFLITE_TOOLS_LOGGING_H_

#include "tensorflow/lite/tools/logging.h"

#endif  // TERN_TFLITE_TOOLS_LOGGING_H_
