// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/tools/command_line_flags.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_TOOLS_COMMAND_LINE_FLAGS_H_
#define TERN_TFLITE_TOOLS_COMMAND_LINE_FLAGS_H_

#include "tensorflow/lite/tools/command_line_flags.h"

#endif  // TERN_TFLITE_TOOLS_COMMAND_LINE_FLAGS_H_
