// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/schema/schema_conversion_utils.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONVERTER_SCHEMA_SCHEMA_CONVERSION_UTILS_H_
#define TERN_TFLITE_CONVERTER_SCHEMA_SCHEMA_CONVERSION_UTILS_H_

#include "tensorflow/lite/schema/schema_conversion_utils.h"

#endif  // TERN_TFLITE_CONVERTER_SCHEMA_SCHEMA_CONVERSION_UTILS_H_
