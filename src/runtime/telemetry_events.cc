// SPDX-License-Identifier: Apache-2.0
// Telemetry: those who tell a context's profiler what happened.
#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/profiling/telemetry/telemetry.h"

namespace tflite::telemetry {
namespace {

using EventType = Profiler::EventType;

// The index of events that belong to no operation.
constexpr int64_t kNoOperation = -1;

void Add(TfLiteContext* context, const char* name, EventType type, TelemetryStatusCode status,
         int64_t op_index, int64_t subgraph_index) {
  if (context->profiler == nullptr) return;
  static_cast<Profiler*>(context->profiler)
      ->AddEvent(name, type, status.code(), op_index, subgraph_index);
}

void AddSettings(TfLiteContext* context, const char* name, EventType type, TelemetrySource source,
                 const void* data) {
  if (context->profiler == nullptr) return;
  const TfLiteTelemetrySettings settings = {static_cast<uint32_t>(source), data};
  static_cast<Profiler*>(context->profiler)->AddEventWithData(name, type, &settings);
}

}  // namespace

void TelemetryReportEvent(TfLiteContext* context, const char* event_name, TfLiteStatus status) {
  Add(context, event_name, EventType::TELEMETRY_EVENT, TelemetryStatusCode(status), kNoOperation,
      kNoOperation);
}

void TelemetryReportOpEvent(TfLiteContext* context, const char* op_name, int64_t op_index,
                            int64_t subgraph_index, TfLiteStatus status) {
  Add(context, op_name, EventType::TELEMETRY_EVENT, TelemetryStatusCode(status), op_index,
      subgraph_index);
}

void TelemetryReportDelegateEvent(TfLiteContext* context, const char* event_name,
                                  TelemetrySource source, uint32_t code) {
  Add(context, event_name, EventType::TELEMETRY_DELEGATE_EVENT, TelemetryStatusCode(source, code),
      kNoOperation, kNoOperation);
}

void TelemetryReportDelegateOpEvent(TfLiteContext* context, const char* op_name, int64_t op_index,
                                    int64_t subgraph_index, TelemetrySource source, uint32_t code) {
  Add(context, op_name, EventType::TELEMETRY_DELEGATE_EVENT, TelemetryStatusCode(source, code),
      op_index, subgraph_index);
}

void TelemetryReportSettings(TfLiteContext* context, const char* setting_name,
                             const TfLiteTelemetryInterpreterSettings* settings) {
  AddSettings(context, setting_name, EventType::TELEMETRY_REPORT_SETTINGS,
              TelemetrySource::TFLITE_INTERPRETER, settings);
}

void TelemetryReportDelegateSettings(TfLiteContext* context, const char* setting_name,
                                     TelemetrySource source, const void* settings) {
  AddSettings(context, setting_name, EventType::TELEMETRY_DELEGATE_REPORT_SETTINGS, source,
              settings);
}

}  // namespace tflite::telemetry
