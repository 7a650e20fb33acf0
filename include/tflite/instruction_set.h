// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/instruction_set.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_INSTRUCTION_SET_H_
#define TERN_TFLITE_INSTRUCTION_SET_H_

#include "tensorflow/lite/instruction_set.h"

#endif  // TERN_TFLITE_INSTRUCTION_SET_H_
