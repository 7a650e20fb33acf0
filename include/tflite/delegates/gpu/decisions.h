// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/gpu/decisions.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_GPU_DECISIONS_H_
#define TERN_TFLITE_DELEGATES_GPU_DECISIONS_H_

#include "tensorflow/lite/delegates/gpu/decisions.h"

#endif  // TERN_TFLITE_DELEGATES_GPU_DECISIONS_H_
