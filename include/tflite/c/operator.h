// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/c/operator.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_C_OPERATOR_H_
#define TERN_TFLITE_C_OPERATOR_H_

#include "tensorflow/lite/c/operator.h"

#endif  // TERN_TFLITE_C_OPERATOR_H_
