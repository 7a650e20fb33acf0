// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/register_ref.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_REGISTER_REF_H_
#define TERN_TFLITE_KERNELS_REGISTER_REF_H_

#include "tensorflow/lite/kernels/register_ref.h"

#endif  // TERN_TFLITE_KERNELS_REGISTER_REF_H_
