// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/tensor.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_INTERNAL_TENSOR_H_
#define TERN_TFLITE_KERNELS_INTERNAL_TENSOR_H_

#include "tensorflow/lite/kernels/internal/tensor.h"

#endif  // TERN_TFLITE_KERNELS_INTERNAL_TENSOR_H_
