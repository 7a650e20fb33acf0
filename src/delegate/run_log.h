// SPDX-License-Identifier: Apache-2.0
// What the kernels of a delegate tell about their runs. Used by several threads.
#ifndef TERN_DELEGATE_RUN_LOG_H_
#define TERN_DELEGATE_RUN_LOG_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/phases.h"

namespace tern::delegate {

class RunLog {
 public:
  // With `trace` the phases of runs are kept, the first kMostSpans of them.
  explicit RunLog(bool trace) : trace_(trace) {}

  bool trace() const { return trace_; }
  // Of one kernel.
  void AddFirstRun(int64_t nanos) { first_nanos_ += nanos; }
  void AddRun(const Phases& run) {
    const std::lock_guard lock(mutex_);
    if (spans_.size() + run.size() <= kMostSpans) {
      spans_.insert(spans_.end(), run.begin(), run.end());
    }
  }

  int64_t first_nanos() const { return first_nanos_; }  // of all kernels together
  Phases spans() const {
    const std::lock_guard lock(mutex_);
    return spans_;
  }

 private:
  static constexpr size_t kMostSpans = 1 << 18;

  const bool trace_;
  std::atomic<int64_t> first_nanos_ = 0;
  mutable std::mutex mutex_;
  Phases spans_;
};

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_RUN_LOG_H_
