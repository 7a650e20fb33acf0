// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/optional_debug_tools.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_OPTIONAL_DEBUG_TOOLS_H_
#define TERN_TFLITE_OPTIONAL_DEBUG_TOOLS_H_

#include "tensorflow/lite/optional_debug_tools.h"

#endif  // TERN_TFLITE_OPTIONAL_DEBUG_TOOLS_H_
