// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/types.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_INTERNAL_TYPES_H_
#define TERN_TFLITE_KERNELS_INTERNAL_TYPES_H_

#include "tensorflow/lite/kernels/internal/types.h"

#endif  // TERN_TFLITE_KERNELS_INTERNAL_TYPES_H_
