// SPDX-License-Identifier: Apache-2.0
// A profiler that keeps its events.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_BUFFERED_PROFILER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_BUFFERED_PROFILER_H_

#include <cstdint>
#include <vector>

#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/profiling/profile_buffer.h"

namespace tflite {
namespace profiling {

// Keeps events between StartProfiling and StopProfiling, except telemetry and runtime
// instrumentation.
class BufferedProfiler : public tflite::Profiler {
 public:
  BufferedProfiler(uint32_t max_num_initial_entries, bool allow_dynamic_buffer_increase)
      : buffer_(max_num_initial_entries, /*enabled=*/false, allow_dynamic_buffer_increase) {}
  explicit BufferedProfiler(uint32_t max_num_entries)
      : BufferedProfiler(max_num_entries, /*allow_dynamic_buffer_increase=*/false) {}

  using tflite::Profiler::AddEvent;
  using tflite::Profiler::BeginEvent;
  uint32_t BeginEvent(const char* tag, EventType event_type, int64_t event_metadata1,
                      int64_t event_metadata2) override;
  void EndEvent(uint32_t event_handle) override { buffer_.EndEvent(event_handle); }
  void EndEvent(uint32_t event_handle, int64_t event_metadata1, int64_t event_metadata2) override {
    buffer_.EndEvent(event_handle, &event_metadata1, &event_metadata2);
  }
  void AddEvent(const char* tag, EventType event_type, uint64_t elapsed_time,
                int64_t event_metadata1, int64_t event_metadata2) override;

  void StartProfiling() { buffer_.SetEnabled(true); }
  void StopProfiling() { buffer_.SetEnabled(false); }
  void Reset() { buffer_.Reset(); }

  // Oldest first; valid until the next event or Reset.
  std::vector<const ProfileEvent*> GetProfileEvents() const;

 private:
  ProfileBuffer buffer_;
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_BUFFERED_PROFILER_H_
