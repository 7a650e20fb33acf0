// SPDX-License-Identifier: Apache-2.0
// On which processor a sleeping thread wakes.
#ifndef TERN_BASE_PROCESSOR_HINT_H_
#define TERN_BASE_PROCESSOR_HINT_H_

#ifdef __linux__
#include <sched.h>
#endif

namespace tern {

// The processor that runs the calling thread, or -1 where the system does not tell.
inline int CurrentProcessor() {
#ifdef __linux__
  return sched_getcpu();
#else
  return -1;
#endif
}

// Keeps the calling thread off one processor while it sleeps. A scheduler that packs threads (as
// guests of virtual machines do) puts a woken thread behind the one that woke it, and there it
// waits for milliseconds, the end of a time slice, beside an idle processor. Each thread has an
// object of its own.
class ProcessorHint {
 public:
#ifdef __linux__
  // The thread wakes on another processor. Nothing where it may run on no other.
  void Avoid(int processor) {
    if (avoids_ || processor < 0 || processor >= CPU_SETSIZE) return;
    if (sched_getaffinity(0, sizeof(all_), &all_) != 0 || !CPU_ISSET(processor, &all_)) return;
    others_ = all_;
    CPU_CLR(processor, &others_);
    avoids_ = CPU_COUNT(&others_) > 0 && sched_setaffinity(0, sizeof(others_), &others_) == 0;
  }

  // The thread may run where it could before, unless somebody has moved it meanwhile.
  void Forget() {
    if (!avoids_) return;
    avoids_ = false;
    cpu_set_t now;
    if (sched_getaffinity(0, sizeof(now), &now) != 0 || !CPU_EQUAL(&now, &others_)) return;
    (void)sched_setaffinity(0, sizeof(all_), &all_);
  }

 private:
  cpu_set_t all_{}, others_{};
  bool avoids_ = false;
#else
  void Avoid(int) {}
  void Forget() {}
#endif
};

}  // namespace tern

#endif  // TERN_BASE_PROCESSOR_HINT_H_
