// SPDX-License-Identifier: Apache-2.0
// Events by time, as a file that Perfetto and chrome://tracing show.
#ifndef TERN_TOOLS_CLI_REPORTS_TRACE_H_
#define TERN_TOOLS_CLI_REPORTS_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tensorflow/lite/core/api/profiler.h"

namespace tern::cli {

// Nanoseconds of the steady clock, which the delegate's report uses, too.
int64_t SteadyNanos();

struct TraceSpan {
  std::string name;
  std::string category;  // "start", "runtime", "node", "delegate", "launch"
  int64_t start_nanos = 0;
  int64_t nanos = 0;
  int64_t subgraph = -1, node = -1;  // -1: of none
};

// Spans lie one inside the other: all is of one thread, but launches, which are of the device. The
// profiler's events of one interpreter become spans, too.
class Trace : public tflite::Profiler {
 public:
  explicit Trace(std::function<int64_t()> now = SteadyNanos) : now_(std::move(now)) {}

  using tflite::Profiler::BeginEvent;
  using tflite::Profiler::EndEvent;
  uint32_t BeginEvent(const char* tag, EventType event_type, int64_t metadata1,
                      int64_t metadata2) override;
  void EndEvent(uint32_t event_handle) override;

  void Add(TraceSpan span);
  // The "trace" in a delegate's report; nothing where there is none.
  void AddReport(const std::string& report);

  // JSON in the object format of Chrome's traces, spans by their start.
  std::string Text() const;

 private:
  static constexpr size_t kMaxSpans = 1 << 20;

  const std::function<int64_t()> now_;
  std::vector<TraceSpan> spans_;
  std::vector<TraceSpan> open_;
  size_t dropped_ = 0;
};

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_REPORTS_TRACE_H_
