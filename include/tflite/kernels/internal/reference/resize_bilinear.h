// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/reference/resize_bilinear.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_INTERNAL_REFERENCE_RESIZE_BILINEAR_H_
#define TERN_TFLITE_KERNELS_INTERNAL_REFERENCE_RESIZE_BILINEAR_H_

#include "tensorflow/lite/kernels/internal/reference/resize_bilinear.h"

#endif  // TERN_TFLITE_KERNELS_INTERNAL_REFERENCE_RESIZE_BILINEAR_H_
