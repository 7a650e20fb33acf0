// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/gpu/cache.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_GPU_CACHE_H_
#define TERN_TFLITE_DELEGATES_GPU_CACHE_H_

#include "tensorflow/lite/delegates/gpu/cache.h"

#endif  // TERN_TFLITE_DELEGATES_GPU_CACHE_H_
