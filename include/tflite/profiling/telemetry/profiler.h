// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/telemetry/profiler.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_TELEMETRY_PROFILER_H_
#define TERN_TFLITE_PROFILING_TELEMETRY_PROFILER_H_

#include "tensorflow/lite/profiling/telemetry/profiler.h"

#endif  // TERN_TFLITE_PROFILING_TELEMETRY_PROFILER_H_
