// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/string_type.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_STRING_TYPE_H_
#define TERN_TFLITE_STRING_TYPE_H_

#include "tensorflow/lite/string_type.h"

#endif  // TERN_TFLITE_STRING_TYPE_H_
