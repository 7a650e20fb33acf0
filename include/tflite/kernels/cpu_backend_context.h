// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/cpu_backend_context.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_CPU_BACKEND_CONTEXT_H_
#define TERN_TFLITE_KERNELS_CPU_BACKEND_CONTEXT_H_

#include "tensorflow/lite/kernels/cpu_backend_context.h"

#endif  // TERN_TFLITE_KERNELS_CPU_BACKEND_CONTEXT_H_
