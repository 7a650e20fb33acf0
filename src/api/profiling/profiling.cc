// SPDX-License-Identifier: Apache-2.0
// The buffer of timed events, the profiler on top of it, and the memory use of the process.
#include <cstddef>
#include <fstream>
#include <ostream>

#include "tensorflow/lite/minimal_logging.h"
#include "tensorflow/lite/profiling/buffered_profiler.h"
#include "tensorflow/lite/profiling/time.h"

#ifdef __linux__
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace tflite {
namespace profiling {
namespace memory {

#if defined(__linux__) && defined(__GLIBC__)
bool MemoryUsage::IsSupported() { return true; }

MemoryUsage GetMemoryUsage() {
  MemoryUsage usage;
  rusage resources = {};
  if (getrusage(RUSAGE_SELF, &resources) == 0) {
    usage.mem_footprint_kb = resources.ru_maxrss;
  }
  const struct mallinfo2 heap = mallinfo2();
  usage.total_allocated_bytes = heap.arena + heap.hblkhd;
  usage.in_use_allocated_bytes = heap.uordblks + heap.hblkhd;
  std::ifstream pages("/proc/self/statm");
  int64_t all = 0, resident = 0, shared = 0;
  if (pages >> all >> resident >> shared) {
    usage.private_footprint_bytes = (resident - shared) * sysconf(_SC_PAGESIZE);
  }
  return usage;
}
#else
bool MemoryUsage::IsSupported() { return false; }

MemoryUsage GetMemoryUsage() { return {}; }
#endif

MemoryUsage MemoryUsage::operator+(const MemoryUsage& other) const {
  MemoryUsage sum;
  sum.mem_footprint_kb = mem_footprint_kb + other.mem_footprint_kb;
  sum.total_allocated_bytes = total_allocated_bytes + other.total_allocated_bytes;
  sum.in_use_allocated_bytes = in_use_allocated_bytes + other.in_use_allocated_bytes;
  sum.private_footprint_bytes = private_footprint_bytes + other.private_footprint_bytes;
  return sum;
}

MemoryUsage MemoryUsage::operator-(const MemoryUsage& other) const {
  MemoryUsage difference;
  difference.mem_footprint_kb = mem_footprint_kb - other.mem_footprint_kb;
  difference.total_allocated_bytes = total_allocated_bytes - other.total_allocated_bytes;
  difference.in_use_allocated_bytes = in_use_allocated_bytes - other.in_use_allocated_bytes;
  difference.private_footprint_bytes = private_footprint_bytes - other.private_footprint_bytes;
  return difference;
}

void MemoryUsage::AllStatsToStream(std::ostream* stream) const {
  // A heap that shrank between two looks is a negative number in a field without a sign.
  const auto megabytes = [](size_t bytes) { return static_cast<double>(ptrdiff_t(bytes)) / 1e6; };
  *stream << "most resident: " << static_cast<double>(mem_footprint_kb) * 1024 / 1e6
          << " MB, private: " << static_cast<double>(private_footprint_bytes) / 1e6
          << " MB, heap: " << megabytes(total_allocated_bytes)
          << " MB, in use of the heap: " << megabytes(in_use_allocated_bytes) << " MB";
}

}  // namespace memory

namespace {

constexpr int kIgnoredEvents =
    static_cast<int>(Profiler::EventType::GENERAL_RUNTIME_INSTRUMENTATION_EVENT) |
    static_cast<int>(Profiler::EventType::TELEMETRY_EVENT) |
    static_cast<int>(Profiler::EventType::TELEMETRY_REPORT_SETTINGS) |
    static_cast<int>(Profiler::EventType::TELEMETRY_DELEGATE_EVENT) |
    static_cast<int>(Profiler::EventType::TELEMETRY_DELEGATE_REPORT_SETTINGS);

bool IsIgnored(Profiler::EventType type) { return (static_cast<int>(type) & kIgnoredEvents) != 0; }

}  // namespace

ProfileBuffer::ProfileBuffer(uint32_t max_num_entries, bool enabled, bool allow_dynamic_expansion)
    : enabled_(enabled),
      allow_dynamic_expansion_(allow_dynamic_expansion),
      event_buffer_(max_num_entries) {}

ProfileEvent* ProfileBuffer::NextEvent(uint32_t* event_handle) {
  if (!enabled_) {
    return nullptr;
  }
  if (current_index_ >= event_buffer_.size()) {
    if (!allow_dynamic_expansion_) {
      TFLITE_LOG_PROD_ONCE(TFLITE_LOG_WARNING,
                           "The profile buffer is full (%zu events): new events are dropped.",
                           event_buffer_.size());
      return nullptr;
    }
    event_buffer_.resize(event_buffer_.size() * 2 + 1);
  }
  *event_handle = current_index_++;
  ProfileEvent* event = &event_buffer_[*event_handle];
  *event = ProfileEvent();
  return event;
}

uint32_t ProfileBuffer::BeginEvent(const char* tag, ProfileEvent::EventType event_type,
                                   int64_t event_metadata1, int64_t event_metadata2) {
  uint32_t handle = kInvalidEventHandle;
  ProfileEvent* event = NextEvent(&handle);
  if (event == nullptr) {
    return kInvalidEventHandle;
  }
  event->tag = tag == nullptr ? "" : tag;
  event->event_type = event_type;
  event->event_metadata = event_metadata1;
  event->extra_event_metadata = event_metadata2;
  if (event_type != ProfileEvent::EventType::OPERATOR_INVOKE_EVENT) {
    event->begin_mem_usage = memory::GetMemoryUsage();
  }
  event->begin_timestamp_us = time::NowMicros();
  return handle;
}

void ProfileBuffer::EndEvent(uint32_t event_handle, const int64_t* event_metadata1,
                             const int64_t* event_metadata2) {
  if (!enabled_ || event_handle >= current_index_) {
    return;
  }
  ProfileEvent& event = event_buffer_[event_handle];
  event.elapsed_time = time::NowMicros() - event.begin_timestamp_us;
  if (event.event_type != ProfileEvent::EventType::OPERATOR_INVOKE_EVENT) {
    event.end_mem_usage = memory::GetMemoryUsage();
  }
  if (event_metadata1 != nullptr) {
    event.event_metadata = *event_metadata1;
  }
  if (event_metadata2 != nullptr) {
    event.extra_event_metadata = *event_metadata2;
  }
}

void ProfileBuffer::AddEvent(const char* tag, ProfileEvent::EventType event_type,
                             uint64_t elapsed_time, int64_t event_metadata1,
                             int64_t event_metadata2) {
  uint32_t handle = kInvalidEventHandle;
  ProfileEvent* event = NextEvent(&handle);
  if (event == nullptr) {
    return;
  }
  event->tag = tag == nullptr ? "" : tag;
  event->event_type = event_type;
  event->event_metadata = event_metadata1;
  event->extra_event_metadata = event_metadata2;
  event->begin_timestamp_us = 0;
  event->elapsed_time = elapsed_time;
}

size_t ProfileBuffer::Size() const { return current_index_; }

const ProfileEvent* ProfileBuffer::At(size_t index) const {
  if (index >= Size()) {
    return nullptr;
  }
  return &event_buffer_[index];
}

uint32_t BufferedProfiler::BeginEvent(const char* tag, EventType event_type,
                                      int64_t event_metadata1, int64_t event_metadata2) {
  if (IsIgnored(event_type)) {
    return kInvalidEventHandle;
  }
  return buffer_.BeginEvent(tag, event_type, event_metadata1, event_metadata2);
}

void BufferedProfiler::AddEvent(const char* tag, EventType event_type, uint64_t elapsed_time,
                                int64_t event_metadata1, int64_t event_metadata2) {
  if (!IsIgnored(event_type)) {
    buffer_.AddEvent(tag, event_type, elapsed_time, event_metadata1, event_metadata2);
  }
}

std::vector<const ProfileEvent*> BufferedProfiler::GetProfileEvents() const {
  std::vector<const ProfileEvent*> events;
  for (size_t i = 0; i < buffer_.Size(); ++i) {
    events.push_back(buffer_.At(i));
  }
  return events;
}

}  // namespace profiling
}  // namespace tflite
