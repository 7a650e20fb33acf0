// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/memory_usage_monitor.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_MEMORY_USAGE_MONITOR_H_
#define TERN_TFLITE_PROFILING_MEMORY_USAGE_MONITOR_H_

#include "tensorflow/lite/profiling/memory_usage_monitor.h"

#endif  // TERN_TFLITE_PROFILING_MEMORY_USAGE_MONITOR_H_
