// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/checked_int.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CHECKED_INT_H_
#define TERN_TFLITE_CHECKED_INT_H_

#include "tensorflow/lite/checked_int.h"

#endif  // TERN_TFLITE_CHECKED_INT_H_
