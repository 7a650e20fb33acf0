// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/op_macros.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_OP_MACROS_H_
#define TERN_TFLITE_KERNELS_OP_MACROS_H_

#include "tensorflow/lite/kernels/op_macros.h"

#endif  // TERN_TFLITE_KERNELS_OP_MACROS_H_
