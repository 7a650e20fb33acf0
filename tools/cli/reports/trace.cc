// SPDX-License-Identifier: Apache-2.0
// Spans from three sources: the verb, the runtime's profiler and the delegate's report.
#include "cli/reports/trace.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using nlohmann::json;

constexpr int kProcess = 1, kThread = 1, kDevice = 2;

json NameEvent(const char* what, int thread, const char* name) {
  return {
      {"name", what}, {"ph", "M"}, {"pid", kProcess}, {"tid", thread}, {"args", {{"name", name}}}};
}

const char* CategoryOf(const std::string& part) {
  return part == "init" ? "start" : part == "launches" ? "launch" : "delegate";
}

}  // namespace

int64_t SteadyNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

uint32_t Trace::BeginEvent(const char* tag, EventType event_type, int64_t metadata1,
                           int64_t metadata2) {
  TraceSpan span;
  span.name = tag == nullptr ? "" : tag;
  span.category = "runtime";
  if (event_type == EventType::OPERATOR_INVOKE_EVENT) {
    span.category = "node";
    span.node = metadata1;
    span.subgraph = metadata2;
  }
  span.start_nanos = now_();
  open_.push_back(std::move(span));
  return static_cast<uint32_t>(open_.size());
}

void Trace::EndEvent(uint32_t event_handle) {
  if (event_handle == 0 || event_handle != open_.size()) return;
  TraceSpan span = std::move(open_.back());
  open_.pop_back();
  span.nanos = now_() - span.start_nanos;
  Add(std::move(span));
}

void Trace::Add(TraceSpan span) {
  if (spans_.size() == kMaxSpans) {
    ++dropped_;
  } else {
    spans_.push_back(std::move(span));
  }
}

void Trace::AddReport(const std::string& report) {
  const json reported = json::parse(report, nullptr, false);
  if (!reported.is_object() || !reported.contains("trace")) return;
  for (const auto& [part, spans] : reported["trace"].items()) {
    for (const json& span : spans) {
      TraceSpan own;
      own.name = span.value("name", "");
      own.category = CategoryOf(part);
      own.start_nanos = span.value("start_ns", int64_t{0});
      own.nanos = span.value("ns", int64_t{0});
      Add(std::move(own));
    }
  }
}

std::string Trace::Text() const {
  std::vector<TraceSpan> spans = spans_;
  // The outer one of two that start together comes first.
  std::stable_sort(spans.begin(), spans.end(), [](const TraceSpan& a, const TraceSpan& b) {
    return a.start_nanos != b.start_nanos ? a.start_nanos < b.start_nanos : a.nanos > b.nanos;
  });
  const int64_t zero = spans.empty() ? 0 : spans.front().start_nanos;
  json events = {NameEvent("process_name", kThread, "tern"),
                 NameEvent("thread_name", kThread, "run"),
                 NameEvent("thread_name", kDevice, "device")};
  for (const TraceSpan& span : spans) {
    json event = {{"name", span.name},
                  {"cat", span.category},
                  {"ph", "X"},
                  {"ts", static_cast<double>(span.start_nanos - zero) / 1000},
                  {"dur", static_cast<double>(span.nanos) / 1000},
                  {"pid", kProcess},
                  {"tid", span.category == "launch" ? kDevice : kThread}};
    if (span.node >= 0) event["args"] = {{"node", span.node}, {"subgraph", span.subgraph}};
    events.push_back(std::move(event));
  }
  const json text = {{"traceEvents", std::move(events)},
                     {"displayTimeUnit", "ms"},
                     {"otherData", {{"dropped", dropped_}}}};
  return text.dump(-1, ' ', /*ensure_ascii=*/true, json::error_handler_t::replace) + "\n";
}

}  // namespace tern::cli
