// SPDX-License-Identifier: Apache-2.0
// Timed events in a buffer of limited size.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_PROFILE_BUFFER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_PROFILE_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/profiling/memory_info.h"

namespace tflite {
namespace profiling {

inline constexpr uint32_t kInvalidEventHandle = static_cast<uint32_t>(~0) - 1;

struct ProfileEvent {
  using EventType = tflite::Profiler::EventType;

  std::string tag;
  uint64_t begin_timestamp_us = 0;
  uint64_t elapsed_time = 0;  // microseconds; 0 until the event ended
  memory::MemoryUsage begin_mem_usage;
  memory::MemoryUsage end_mem_usage;
  EventType event_type = EventType::DEFAULT;
  int64_t event_metadata = 0;        // node index, or a status
  int64_t extra_event_metadata = 0;  // subgraph index
};

// When full it keeps what it has and drops new events, or grows if that is allowed.
class ProfileBuffer {
 public:
  ProfileBuffer(uint32_t max_num_entries, bool enabled, bool allow_dynamic_expansion = false);

  // kInvalidEventHandle while disabled and for an event that is dropped.
  uint32_t BeginEvent(const char* tag, ProfileEvent::EventType event_type, int64_t event_metadata1,
                      int64_t event_metadata2);
  // Ignores invalid handles. Non-null metadata replaces the event's.
  void EndEvent(uint32_t event_handle, const int64_t* event_metadata1 = nullptr,
                const int64_t* event_metadata2 = nullptr);
  // A finished event of `elapsed_time` microseconds.
  void AddEvent(const char* tag, ProfileEvent::EventType event_type, uint64_t elapsed_time,
                int64_t event_metadata1, int64_t event_metadata2);

  void SetEnabled(bool enabled) { enabled_ = enabled; }
  size_t Size() const;
  void Reset() { current_index_ = 0; }
  // Oldest first; null for a bad index.
  const ProfileEvent* At(size_t index) const;

 private:
  ProfileEvent* NextEvent(uint32_t* event_handle);

  bool enabled_;
  const bool allow_dynamic_expansion_;
  uint32_t current_index_ = 0;  // of the next event
  std::vector<ProfileEvent> event_buffer_;
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_PROFILE_BUFFER_H_
