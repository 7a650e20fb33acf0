// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/schema/schema_generated.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONVERTER_SCHEMA_SCHEMA_GENERATED_H_
#define TERN_TFLITE_CONVERTER_SCHEMA_SCHEMA_GENERATED_H_

#include "tensorflow/lite/schema/schema_generated.h"

#endif  // TERN_TFLITE_CONVERTER_SCHEMA_SCHEMA_GENERATED_H_
