// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/reference/reference_ops.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_INTERNAL_REFERENCE_REFERENCE_OPS_H_
#define TERN_TFLITE_KERNELS_INTERNAL_REFERENCE_REFERENCE_OPS_H_

#include "tensorflow/lite/kernels/internal/reference/reference_ops.h"

#endif  // TERN_TFLITE_KERNELS_INTERNAL_REFERENCE_REFERENCE_OPS_H_
