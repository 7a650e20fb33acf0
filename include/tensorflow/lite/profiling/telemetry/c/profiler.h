// SPDX-License-Identifier: Apache-2.0
// A telemetry profiler in C: functions that the runtime calls with the struct itself. C11 and
// C++17.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_C_PROFILER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_C_PROFILER_H_

#include <stdint.h>

#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting.h"

#ifdef __cplusplus
extern "C" {
#endif

// Names are never NULL and are valid during the call, as settings are. `status` has the source of
// the event in its upper 32 bits (0: the interpreter) and that source's status in the lower ones. A
// function that is NULL is not called. They may come from any thread that uses the interpreter.
typedef struct TfLiteTelemetryProfilerStruct {
  void* data;  // the profiler's own

  // Report the end of a call of the interpreter, or of one operation of a subgraph, with its
  // status.
  void (*ReportTelemetryEvent)(struct TfLiteTelemetryProfilerStruct* profiler,
                               const char* event_name, uint64_t status);
  void (*ReportTelemetryOpEvent)(struct TfLiteTelemetryProfilerStruct* profiler,
                                 const char* event_name, int64_t op_idx, int64_t subgraph_idx,
                                 uint64_t status);

  void (*ReportSettings)(struct TfLiteTelemetryProfilerStruct* profiler, const char* setting_name,
                         const TfLiteTelemetrySettings* settings);

  // An operation begins; the result comes back when it ends.
  uint32_t (*ReportBeginOpInvokeEvent)(struct TfLiteTelemetryProfilerStruct* profiler,
                                       const char* op_name, int64_t op_idx, int64_t subgraph_idx);
  void (*ReportEndOpInvokeEvent)(struct TfLiteTelemetryProfilerStruct* profiler,
                                 uint32_t event_handle);

  // An operation that was measured elsewhere, in microseconds.
  void (*ReportOpInvokeEvent)(struct TfLiteTelemetryProfilerStruct* profiler, const char* op_name,
                              uint64_t elapsed_time, int64_t op_idx, int64_t subgraph_idx);
} TfLiteTelemetryProfilerStruct;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_C_PROFILER_H_
