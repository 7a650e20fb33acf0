// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/time.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_TIME_H_
#define TERN_TFLITE_PROFILING_TIME_H_

#include "tensorflow/lite/profiling/time.h"

#endif  // TERN_TFLITE_PROFILING_TIME_H_
