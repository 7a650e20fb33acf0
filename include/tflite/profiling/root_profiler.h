// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/root_profiler.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_ROOT_PROFILER_H_
#define TERN_TFLITE_PROFILING_ROOT_PROFILER_H_

#include "tensorflow/lite/profiling/root_profiler.h"

#endif  // TERN_TFLITE_PROFILING_ROOT_PROFILER_H_
