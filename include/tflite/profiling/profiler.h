// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/profiler.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_PROFILER_H_
#define TERN_TFLITE_PROFILING_PROFILER_H_

#include "tensorflow/lite/profiling/profiler.h"

#endif  // TERN_TFLITE_PROFILING_PROFILER_H_
