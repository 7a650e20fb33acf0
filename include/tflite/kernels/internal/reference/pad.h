// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/reference/pad.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_INTERNAL_REFERENCE_PAD_H_
#define TERN_TFLITE_KERNELS_INTERNAL_REFERENCE_PAD_H_

#include "tensorflow/lite/kernels/internal/reference/pad.h"

#endif  // TERN_TFLITE_KERNELS_INTERNAL_REFERENCE_PAD_H_
