// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/types/half.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_TYPES_HALF_H_
#define TERN_TFLITE_TYPES_HALF_H_

#include "tensorflow/lite/types/half.h"

#endif  // TERN_TFLITE_TYPES_HALF_H_
