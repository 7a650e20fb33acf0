// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/array.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_ARRAY_H_
#define TERN_TFLITE_ARRAY_H_

#include "tensorflow/lite/array.h"

#endif  // TERN_TFLITE_ARRAY_H_
