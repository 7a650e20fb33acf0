// SPDX-License-Identifier: Apache-2.0
//
// The profiler that nodes of one graph see: it adds the graph's index to every event.
#ifndef TERN_RUNTIME_SUBGRAPH_PROFILER_H_
#define TERN_RUNTIME_SUBGRAPH_PROFILER_H_

#include <cstdint>

#include "tensorflow/lite/core/api/profiler.h"

namespace tern {

class SubgraphProfiler : public tflite::Profiler {
 public:
  // `profiler` is not owned and not null.
  SubgraphProfiler(tflite::Profiler* profiler, int64_t subgraph_index)
      : profiler_(profiler), subgraph_index_(subgraph_index) {}

  uint32_t BeginEvent(const char* tag, EventType event_type, int64_t event_metadata1,
                      int64_t) override {
    return profiler_->BeginEvent(tag, event_type, event_metadata1, subgraph_index_);
  }
  void EndEvent(uint32_t event_handle) override { profiler_->EndEvent(event_handle); }
  void EndEvent(uint32_t event_handle, int64_t event_metadata1, int64_t event_metadata2) override {
    profiler_->EndEvent(event_handle, event_metadata1, event_metadata2);
  }
  void AddEvent(const char* tag, EventType event_type, uint64_t metric, int64_t event_metadata1,
                int64_t) override {
    profiler_->AddEvent(tag, event_type, metric, event_metadata1, subgraph_index_);
  }
  void AddEventWithData(const char* tag, EventType event_type, const void* data) override {
    profiler_->AddEventWithData(tag, event_type, data);
  }

 private:
  tflite::Profiler* const profiler_;
  const int64_t subgraph_index_;
};

}  // namespace tern

#endif  // TERN_RUNTIME_SUBGRAPH_PROFILER_H_
