// SPDX-License-Identifier: Apache-2.0
// A profiler that does nothing.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_NOOP_PROFILER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_NOOP_PROFILER_H_

#include <cstdint>
#include <vector>

#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/profiling/profile_buffer.h"

namespace tflite {
namespace profiling {

class NoopProfiler : public tflite::Profiler {
 public:
  NoopProfiler() = default;
  explicit NoopProfiler(int /*max_profiling_buffer_entries*/) {}
  NoopProfiler(int /*max_profiling_buffer_entries*/, bool /*allow_dynamic_buffer_increase*/) {}

  using tflite::Profiler::BeginEvent;
  using tflite::Profiler::EndEvent;
  uint32_t BeginEvent(const char* /*tag*/, EventType /*event_type*/, int64_t /*event_metadata1*/,
                      int64_t /*event_metadata2*/) override {
    return 0;
  }
  void EndEvent(uint32_t /*event_handle*/) override {}

  void StartProfiling() {}
  void StopProfiling() {}
  void Reset() {}
  std::vector<const ProfileEvent*> GetProfileEvents() { return {}; }
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_NOOP_PROFILER_H_
