// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/telemetry/telemetry_status.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_TELEMETRY_TELEMETRY_STATUS_H_
#define TERN_TFLITE_PROFILING_TELEMETRY_TELEMETRY_STATUS_H_

#include "tensorflow/lite/profiling/telemetry/telemetry_status.h"

#endif  // TERN_TFLITE_PROFILING_TELEMETRY_TELEMETRY_STATUS_H_
