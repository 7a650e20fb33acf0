// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/type_to_tflitetype.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_TYPE_TO_TFLITETYPE_H_
#define TERN_TFLITE_TYPE_TO_TFLITETYPE_H_

#include "tensorflow/lite/type_to_tflitetype.h"

#endif  // TERN_TFLITE_TYPE_TO_TFLITETYPE_H_
