// SPDX-License-Identifier: Apache-2.0
//
// Several profilers as one: every event goes to each of them.
#ifndef TERN_API_PROFILER_LIST_H_
#define TERN_API_PROFILER_LIST_H_

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "tensorflow/lite/core/api/profiler.h"

namespace tern {

class ProfilerList : public tflite::Profiler {
 public:
  bool empty() const { return profilers_.empty(); }
  void Clear() {
    profilers_.clear();
    open_.clear();
  }
  void Add(std::shared_ptr<tflite::Profiler> profiler) {
    profilers_.push_back(std::move(profiler));
  }

  uint32_t BeginEvent(const char* tag, EventType type, int64_t metadata1,
                      int64_t metadata2) override {
    if (profilers_.size() == 1) {
      return profilers_[0]->BeginEvent(tag, type, metadata1, metadata2);
    }
    std::vector<uint32_t>& handles = open_[next_];
    for (auto& p : profilers_) handles.push_back(p->BeginEvent(tag, type, metadata1, metadata2));
    return next_++;
  }

  void EndEvent(uint32_t handle) override {
    End(handle, [](Profiler* p, uint32_t h) { p->EndEvent(h); });
  }
  void EndEvent(uint32_t handle, int64_t metadata1, int64_t metadata2) override {
    End(handle, [=](Profiler* p, uint32_t h) { p->EndEvent(h, metadata1, metadata2); });
  }
  void AddEvent(const char* tag, EventType type, uint64_t metric, int64_t metadata1,
                int64_t metadata2) override {
    for (auto& p : profilers_) p->AddEvent(tag, type, metric, metadata1, metadata2);
  }
  void AddEventWithData(const char* tag, EventType type, const void* data) override {
    for (auto& p : profilers_) p->AddEventWithData(tag, type, data);
  }

 private:
  template <typename EndOne>
  void End(uint32_t handle, EndOne end_one) {
    if (profilers_.size() == 1) return end_one(profilers_[0].get(), handle);
    const auto found = open_.find(handle);
    if (found == open_.end()) return;
    for (size_t i = 0; i < found->second.size() && i < profilers_.size(); ++i) {
      end_one(profilers_[i].get(), found->second[i]);
    }
    open_.erase(found);
  }

  std::vector<std::shared_ptr<tflite::Profiler>> profilers_;
  std::map<uint32_t, std::vector<uint32_t>> open_;  // handles of the profilers, by our handle
  uint32_t next_ = 0;
};

}  // namespace tern

#endif  // TERN_API_PROFILER_LIST_H_
