// SPDX-License-Identifier: Apache-2.0
// The barrier of a work-group whose items are threads. It notices items that end while others wait
// and lets everybody go on, so that a wrong kernel is an error and no hang.
#ifndef TERN_GPU_BACKENDS_HOST_GROUP_BARRIER_H_
#define TERN_GPU_BACKENDS_HOST_GROUP_BARRIER_H_

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tern::gpu {

class GroupBarrier {
 public:
  explicit GroupBarrier(uint32_t items) : items_(items) {}

  // The calling thread belongs to this group from now on.
  void Enter() { current_ = this; }
  // BARRIER in the kernel.
  static void WaitOfThisThread() { current_->Arrive(false); }
  // The item has left the kernel; returns when all of its group have.
  void FinishGroup() { Arrive(true); }

  // Whether some items met a BARRIER that others did not.
  bool diverged() const { return diverged_; }

 private:
  void Arrive(bool finished) {
    std::unique_lock<std::mutex> lock(mutex_);
    const uint64_t group = groups_;
    const uint64_t round = rounds_;
    finished_ += finished ? 1 : 0;
    if (++arrived_ == items_) NextRound();
    changed_.wait(lock, [&] { return finished ? groups_ != group : rounds_ != round; });
  }

  void NextRound() {
    const bool all_finished = finished_ == items_;
    if (finished_ != 0 && !all_finished) diverged_ = true;
    if (all_finished) {
      finished_ = 0;
      ++groups_;
    }
    // Finished work-items count as arrived in every later round of the group.
    arrived_ = finished_;
    ++rounds_;
    changed_.notify_all();
  }

  static inline thread_local GroupBarrier* current_ = nullptr;
  const uint32_t items_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint32_t arrived_ = 0, finished_ = 0;
  uint64_t rounds_ = 0, groups_ = 0;
  bool diverged_ = false;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_HOST_GROUP_BARRIER_H_
