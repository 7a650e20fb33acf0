// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/allocation.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONVERTER_ALLOCATION_H_
#define TERN_TFLITE_CONVERTER_ALLOCATION_H_

#include "tensorflow/lite/allocation.h"

#endif  // TERN_TFLITE_CONVERTER_ALLOCATION_H_
