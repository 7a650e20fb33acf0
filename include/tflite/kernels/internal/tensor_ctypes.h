// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/tensor_ctypes.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_
#define TERN_TFLITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_

#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"

#endif  // TERN_TFLITE_KERNELS_INTERNAL_TENSOR_CTYPES_H_
