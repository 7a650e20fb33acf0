// SPDX-License-Identifier: Apache-2.0
// Telemetry: events of the profiler interface, sorted by type.
#include "tensorflow/lite/profiling/telemetry/profiler.h"

namespace tflite::telemetry {
namespace {

using EventType = Profiler::EventType;

// Of events that are not passed on, and the index of those that belong to no operation.
constexpr uint32_t kNoHandle = UINT32_MAX;
constexpr int64_t kNoOperation = -1;

// Calls a struct's functions.
class StructProfiler : public TelemetryProfiler {
 public:
  explicit StructProfiler(TfLiteTelemetryProfilerStruct* target) : target_(target) {}

  void ReportTelemetryEvent(const char* event_name, TelemetryStatusCode status) override {
    if (target_->ReportTelemetryEvent == nullptr) return;
    target_->ReportTelemetryEvent(target_, event_name, status.code());
  }
  void ReportTelemetryOpEvent(const char* event_name, int64_t op_idx, int64_t subgraph_idx,
                              TelemetryStatusCode status) override {
    if (target_->ReportTelemetryOpEvent == nullptr) return;
    target_->ReportTelemetryOpEvent(target_, event_name, op_idx, subgraph_idx, status.code());
  }
  void ReportSettings(const char* setting_name, const TfLiteTelemetrySettings* settings) override {
    if (target_->ReportSettings == nullptr) return;
    target_->ReportSettings(target_, setting_name, settings);
  }
  uint32_t ReportBeginOpInvokeEvent(const char* op_name, int64_t op_idx,
                                    int64_t subgraph_idx) override {
    if (target_->ReportBeginOpInvokeEvent == nullptr) return kNoHandle;
    return target_->ReportBeginOpInvokeEvent(target_, op_name, op_idx, subgraph_idx);
  }
  void ReportEndOpInvokeEvent(uint32_t event_handle) override {
    if (target_->ReportEndOpInvokeEvent == nullptr) return;
    target_->ReportEndOpInvokeEvent(target_, event_handle);
  }
  void ReportOpInvokeEvent(const char* op_name, uint64_t elapsed_time, int64_t op_idx,
                           int64_t subgraph_idx) override {
    if (target_->ReportOpInvokeEvent == nullptr) return;
    target_->ReportOpInvokeEvent(target_, op_name, elapsed_time, op_idx, subgraph_idx);
  }

 private:
  TfLiteTelemetryProfilerStruct* const target_;
};

}  // namespace

uint32_t TelemetryProfiler::BeginEvent(const char* tag, EventType event_type,
                                       int64_t event_metadata1, int64_t event_metadata2) {
  switch (event_type) {
    case EventType::OPERATOR_INVOKE_EVENT:
    case EventType::DELEGATE_OPERATOR_INVOKE_EVENT:
      return ReportBeginOpInvokeEvent(tag, event_metadata1, event_metadata2);
    default:
      return kNoHandle;
  }
}

void TelemetryProfiler::EndEvent(uint32_t event_handle) {
  if (event_handle != kNoHandle) ReportEndOpInvokeEvent(event_handle);
}

void TelemetryProfiler::AddEvent(const char* tag, EventType event_type, uint64_t metric,
                                 int64_t event_metadata1, int64_t event_metadata2) {
  switch (event_type) {
    case EventType::TELEMETRY_EVENT:
    case EventType::TELEMETRY_DELEGATE_EVENT:
      if (event_metadata1 == kNoOperation) {
        ReportTelemetryEvent(tag, TelemetryStatusCode(metric));
      } else {
        ReportTelemetryOpEvent(tag, event_metadata1, event_metadata2, TelemetryStatusCode(metric));
      }
      break;
    case EventType::OPERATOR_INVOKE_EVENT:
    case EventType::DELEGATE_OPERATOR_INVOKE_EVENT:
    case EventType::DELEGATE_PROFILED_OPERATOR_INVOKE_EVENT:
      ReportOpInvokeEvent(tag, metric, event_metadata1, event_metadata2);
      break;
    default:
      break;
  }
}

void TelemetryProfiler::AddEventWithData(const char* tag, EventType event_type, const void* data) {
  switch (event_type) {
    case EventType::TELEMETRY_REPORT_SETTINGS:
    case EventType::TELEMETRY_DELEGATE_REPORT_SETTINGS:
      if (data != nullptr) ReportSettings(tag, static_cast<const TfLiteTelemetrySettings*>(data));
      break;
    default:
      break;
  }
}

TelemetryProfiler* MakeTfLiteTelemetryProfiler(TfLiteTelemetryProfilerStruct* profiler) {
  return profiler == nullptr ? nullptr : new StructProfiler(profiler);
}

}  // namespace tflite::telemetry
