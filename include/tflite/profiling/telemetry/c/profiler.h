// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/telemetry/c/profiler.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_TELEMETRY_C_PROFILER_H_
#define TERN_TFLITE_PROFILING_TELEMETRY_C_PROFILER_H_

#include "tensorflow/lite/profiling/telemetry/c/profiler.h"

#endif  // TERN_TFLITE_PROFILING_TELEMETRY_C_PROFILER_H_
