// SPDX-License-Identifier: Apache-2.0
// Several profilers as one: every event goes to each of them.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_ROOT_PROFILER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_ROOT_PROFILER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "tensorflow/lite/core/api/profiler.h"

namespace tflite {
namespace profiling {

class RootProfiler : public Profiler {
 public:
  RootProfiler() = default;
  RootProfiler(const RootProfiler&) = delete;
  RootProfiler& operator=(const RootProfiler&) = delete;
  RootProfiler(RootProfiler&&) = default;
  RootProfiler& operator=(RootProfiler&&) = default;
  ~RootProfiler() override = default;

  // Null is ignored. The first form does not take ownership: the profiler must outlive this object
  // or be removed.
  void AddProfiler(Profiler* profiler);
  void AddProfiler(std::unique_ptr<Profiler>&& profiler);
  // Forgets all profilers; owned ones end.
  void RemoveChildProfilers();
  bool HasChildProfilers() const { return !profilers_.empty(); }

  using Profiler::AddEvent;
  using Profiler::BeginEvent;
  uint32_t BeginEvent(const char* tag, EventType event_type, int64_t event_metadata1,
                      int64_t event_metadata2) override;
  void EndEvent(uint32_t event_handle) override;
  void EndEvent(uint32_t event_handle, int64_t event_metadata1, int64_t event_metadata2) override;
  void AddEvent(const char* tag, EventType event_type, uint64_t metric, int64_t event_metadata1,
                int64_t event_metadata2) override;
  void AddEventWithData(const char* tag, EventType event_type, const void* data) override;

 private:
  std::vector<std::shared_ptr<Profiler>> profilers_;
  // The profilers' handles of open events, by our handle. One profiler alone hands out its own.
  std::map<uint32_t, std::vector<uint32_t>> open_;
  uint32_t next_ = 0;
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_ROOT_PROFILER_H_
