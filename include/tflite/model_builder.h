// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/model_builder.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_MODEL_BUILDER_H_
#define TERN_TFLITE_MODEL_BUILDER_H_

#include "tensorflow/lite/model_builder.h"

#endif  // TERN_TFLITE_MODEL_BUILDER_H_
