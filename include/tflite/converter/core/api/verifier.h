// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/api/verifier.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONVERTER_CORE_API_VERIFIER_H_
#define TERN_TFLITE_CONVERTER_CORE_API_VERIFIER_H_

#include "tensorflow/lite/core/api/verifier.h"

#endif  // TERN_TFLITE_CONVERTER_CORE_API_VERIFIER_H_
