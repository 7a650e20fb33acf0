// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/variant_data.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_C_VARIANT_DATA_H_
#define TERN_TFLITE_CORE_C_VARIANT_DATA_H_

#include "tensorflow/lite/core/c/variant_data.h"

#endif  // TERN_TFLITE_CORE_C_VARIANT_DATA_H_
