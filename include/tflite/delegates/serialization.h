// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/serialization.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_SERIALIZATION_H_
#define TERN_TFLITE_DELEGATES_SERIALIZATION_H_

#include "tensorflow/lite/delegates/serialization.h"

#endif  // TERN_TFLITE_DELEGATES_SERIALIZATION_H_
