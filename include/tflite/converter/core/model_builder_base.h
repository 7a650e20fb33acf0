// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/model_builder.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONVERTER_CORE_MODEL_BUILDER_BASE_H_
#define TERN_TFLITE_CONVERTER_CORE_MODEL_BUILDER_BASE_H_

#include "tensorflow/lite/core/model_builder.h"

#endif  // TERN_TFLITE_CONVERTER_CORE_MODEL_BUILDER_BASE_H_
