// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/custom_ops_register.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_CUSTOM_OPS_REGISTER_H_
#define TERN_TFLITE_KERNELS_CUSTOM_OPS_REGISTER_H_

#include "tensorflow/lite/kernels/custom_ops_register.h"

#endif  // TERN_TFLITE_KERNELS_CUSTOM_OPS_REGISTER_H_
