// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/operator.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_C_OPERATOR_H_
#define TERN_TFLITE_CORE_C_OPERATOR_H_

#include "tensorflow/lite/core/c/operator.h"

#endif  // TERN_TFLITE_CORE_C_OPERATOR_H_
