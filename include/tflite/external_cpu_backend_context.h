// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/external_cpu_backend_context.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_EXTERNAL_CPU_BACKEND_CONTEXT_H_
#define TERN_TFLITE_EXTERNAL_CPU_BACKEND_CONTEXT_H_

#include "tensorflow/lite/external_cpu_backend_context.h"

#endif  // TERN_TFLITE_EXTERNAL_CPU_BACKEND_CONTEXT_H_
