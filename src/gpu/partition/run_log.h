// SPDX-License-Identifier: Apache-2.0
// The record of the runs of a delegate's kernels. Used by several threads.
#ifndef TERN_GPU_PARTITION_RUN_LOG_H_
#define TERN_GPU_PARTITION_RUN_LOG_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "gpu/desc/phases.h"
#include "gpu/device/executor.h"

namespace tern::gpu {

class RunLog {
 public:
  // With `trace` the phases and launches of runs are kept, the first kMaxSpans of each.
  explicit RunLog(bool trace) : trace_(trace) {}

  bool trace() const { return trace_; }
  // Of one kernel.
  void AddFirstRun(int64_t nanos) { first_nanos_ += nanos; }
  void AddRun(const RunTrace& run) {
    const std::lock_guard lock(mutex_);
    Append(run.phases, &kept_.phases);
    Append(run.launches, &kept_.launches);
  }

  int64_t first_nanos() const { return first_nanos_; }  // of all kernels together
  RunTrace kept() const {
    const std::lock_guard lock(mutex_);
    return kept_;
  }

 private:
  static constexpr size_t kMaxSpans = 1 << 18;

  template <typename Spans>
  static void Append(const Spans& from, Spans* to) {
    if (to->size() + from.size() <= kMaxSpans) to->insert(to->end(), from.begin(), from.end());
  }

  const bool trace_;
  std::atomic<int64_t> first_nanos_ = 0;
  mutable std::mutex mutex_;
  RunTrace kept_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_RUN_LOG_H_
