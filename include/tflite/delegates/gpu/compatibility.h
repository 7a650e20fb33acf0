// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/gpu/compatibility.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_GPU_COMPATIBILITY_H_
#define TERN_TFLITE_DELEGATES_GPU_COMPATIBILITY_H_

#include "tensorflow/lite/delegates/gpu/compatibility.h"

#endif  // TERN_TFLITE_DELEGATES_GPU_COMPATIBILITY_H_
