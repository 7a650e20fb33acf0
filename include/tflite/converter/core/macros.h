// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/macros.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONVERTER_CORE_MACROS_H_
#define TERN_TFLITE_CONVERTER_CORE_MACROS_H_

#include "tensorflow/lite/core/macros.h"

#endif  // TERN_TFLITE_CONVERTER_CORE_MACROS_H_
