// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/builtin_ops.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_BUILTIN_OPS_H_
#define TERN_TFLITE_BUILTIN_OPS_H_

#include "tensorflow/lite/builtin_ops.h"

#endif  // TERN_TFLITE_BUILTIN_OPS_H_
