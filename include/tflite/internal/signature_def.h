// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/internal/signature_def.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_INTERNAL_SIGNATURE_DEF_H_
#define TERN_TFLITE_INTERNAL_SIGNATURE_DEF_H_

#include "tensorflow/lite/internal/signature_def.h"

#endif  // TERN_TFLITE_INTERNAL_SIGNATURE_DEF_H_
