// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/telemetry/c/telemetry_setting_internal.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_INTERNAL_H_
#define TERN_TFLITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_INTERNAL_H_

#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting_internal.h"

#endif  // TERN_TFLITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_INTERNAL_H_
