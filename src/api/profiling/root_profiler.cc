// SPDX-License-Identifier: Apache-2.0
// Passing events on to several profilers.
#include "tensorflow/lite/profiling/root_profiler.h"

#include <utility>

namespace tflite {
namespace profiling {

void RootProfiler::AddProfiler(Profiler* profiler) {
  if (profiler == nullptr) return;
  profilers_.push_back(std::shared_ptr<Profiler>(profiler, [](Profiler*) {}));
}

void RootProfiler::AddProfiler(std::unique_ptr<Profiler>&& profiler) {
  if (profiler == nullptr) return;
  profilers_.push_back(std::move(profiler));
}

void RootProfiler::RemoveChildProfilers() {
  profilers_.clear();
  open_.clear();
}

uint32_t RootProfiler::BeginEvent(const char* tag, EventType event_type, int64_t event_metadata1,
                                  int64_t event_metadata2) {
  if (profilers_.size() == 1) {
    return profilers_[0]->BeginEvent(tag, event_type, event_metadata1, event_metadata2);
  }
  std::vector<uint32_t>& handles = open_[next_];
  for (auto& profiler : profilers_) {
    handles.push_back(profiler->BeginEvent(tag, event_type, event_metadata1, event_metadata2));
  }
  return next_++;
}

void RootProfiler::EndEvent(uint32_t event_handle) {
  if (profilers_.size() == 1) return profilers_[0]->EndEvent(event_handle);
  const std::vector<uint32_t> handles = std::move(open_[event_handle]);
  open_.erase(event_handle);
  for (size_t i = 0; i < handles.size(); ++i) profilers_[i]->EndEvent(handles[i]);
}

void RootProfiler::EndEvent(uint32_t event_handle, int64_t event_metadata1,
                            int64_t event_metadata2) {
  if (profilers_.size() == 1) {
    return profilers_[0]->EndEvent(event_handle, event_metadata1, event_metadata2);
  }
  const std::vector<uint32_t> handles = std::move(open_[event_handle]);
  open_.erase(event_handle);
  for (size_t i = 0; i < handles.size(); ++i) {
    profilers_[i]->EndEvent(handles[i], event_metadata1, event_metadata2);
  }
}

void RootProfiler::AddEvent(const char* tag, EventType event_type, uint64_t metric,
                            int64_t event_metadata1, int64_t event_metadata2) {
  for (auto& profiler : profilers_) {
    profiler->AddEvent(tag, event_type, metric, event_metadata1, event_metadata2);
  }
}

void RootProfiler::AddEventWithData(const char* tag, EventType event_type, const void* data) {
  for (auto& profiler : profilers_) profiler->AddEventWithData(tag, event_type, data);
}

}  // namespace profiling
}  // namespace tflite
