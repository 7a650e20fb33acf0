// SPDX-License-Identifier: Apache-2.0
// Tells the profiler of a context what happened. Nothing happens without one.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_TELEMETRY_H_
#define TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_TELEMETRY_H_

#include <cstdint>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting.h"
#include "tensorflow/lite/profiling/telemetry/telemetry_status.h"

namespace tflite::telemetry {

// A call of the interpreter, or an operation, ended.
void TelemetryReportEvent(TfLiteContext* context, const char* event_name, TfLiteStatus status);
void TelemetryReportOpEvent(TfLiteContext* context, const char* op_name, int64_t op_index,
                            int64_t subgraph_index, TfLiteStatus status);

// The same in a delegate, with a status of its own.
void TelemetryReportDelegateEvent(TfLiteContext* context, const char* event_name,
                                  TelemetrySource source, uint32_t code);
void TelemetryReportDelegateOpEvent(TfLiteContext* context, const char* op_name, int64_t op_index,
                                    int64_t subgraph_index, TelemetrySource source, uint32_t code);

void TelemetryReportSettings(TfLiteContext* context, const char* setting_name,
                             const TfLiteTelemetryInterpreterSettings* settings);
// The delegate and the profiler agree on the type to which `settings` points.
void TelemetryReportDelegateSettings(TfLiteContext* context, const char* setting_name,
                                     TelemetrySource source, const void* settings);

}  // namespace tflite::telemetry

#endif  // TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_TELEMETRY_H_
