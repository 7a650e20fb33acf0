// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/model.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_MODEL_H_
#define TERN_TFLITE_CORE_MODEL_H_

#include "tensorflow/lite/core/model.h"

#endif  // TERN_TFLITE_CORE_MODEL_H_
