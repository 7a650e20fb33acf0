// SPDX-License-Identifier: Apache-2.0
// The worker threads of the CPU path. One pool serves every op of an interpreter, so that a model
// never runs on more threads than its user asked for.
#ifndef TERN_CPU_THREAD_POOL_H_
#define TERN_CPU_THREAD_POOL_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/thread.h"

namespace tern {

class ThreadPool {
 public:
  // `threads` counts the calling thread too; values are limited to 1..64. Where the system gives
  // fewer, the pool has fewer.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }
  // Whether a job has to wake workers, which takes microseconds.
  bool Sleeps() const { return sleeping_.load(std::memory_order_relaxed) > 0; }

  // Calls body(begin, end) for consecutive ranges that cover [0, count), from several threads, and
  // waits for all. Every thread treats subnormal numbers as the calling one does.
  void Run(int64_t count, absl::FunctionRef<void(int64_t begin, int64_t end)> body);

  // Calls body(part) for every part of [0, parts) and waits for all. Each thread begins with the
  // same share of the parts in every call, so that what one operator leaves in its cache is there
  // for the next, and helps the others when it is done and has waited a moment for them. The caller
  // waits only for parts that are being computed; after it has waited much longer than a part
  // takes, it runs all parts itself for a while. A call from inside a body, or while another
  // thread's call is running, runs all parts on the calling thread.
  void RunParts(int64_t parts, absl::FunctionRef<void(int64_t part)> body);

 private:
  using Body = absl::FunctionRef<void(int64_t)>;

  // The parts of one thread and all that it must know of the job, in one cache line: a thread that
  // waits for work fetches no other.
  struct alignas(64) Share {
    // The number of the job in the upper half, the parts that nobody has taken yet in the lower.
    std::atomic<uint64_t> left{0};
    int64_t end = 0;  // of the share
    int64_t all = 0;  // parts of the job
    const Body* body = nullptr;
    bool flushes = false;  // subnormal numbers
  };

  void Work(int thread);
  void StartJob(int64_t parts, const Body& body);
  bool AllDone(int64_t parts, int spins) const;
  void WaitForOthers(int64_t parts);
  void BackOffIfPreempted(int64_t own_parts, int64_t own_time, int64_t waited);
  void ShortenBackOff();
  int64_t TakeParts(Share& share);
  int64_t TakePartsOfOthers(int thread);
  bool PartsLeft() const;

  std::vector<Thread> workers_;
  std::mutex running_;

  // A share belongs to a job as long as one of the job's parts is not done.
  int share_count_ = 0;
  std::unique_ptr<Share[]> shares_;
  uint64_t job_ = 0;

  // When the OS preempts workers, the caller is faster alone: until then, and for at least that
  // long after the next preemption. In nanoseconds, guarded by running_.
  int64_t back_off_until_ = 0, back_off_ = 0;

  // Parts of the job that are done, in a cache line of its own: every thread writes it once.
  alignas(64) std::atomic<int32_t> done_{0};

  // Changes whenever sleeping workers should look for work.
  alignas(64) std::atomic<int32_t> signal_{0};
  std::atomic<int32_t> sleeping_{0};
  // Where the thread that wakes workers runs: they avoid it while they sleep.
  std::atomic<int> caller_processor_{-1};
  std::atomic<bool> ending_{false};
};

// The pool of `threads` threads that belongs to `owner` (any address that stands for an
// interpreter). It lives as long as somebody holds it.
std::shared_ptr<ThreadPool> SharedThreadPool(const void* owner, int threads);

// Below this many operations a job costs more than it saves; the second where workers sleep.
inline constexpr int64_t kSmallWork = 12 * 1024, kSmallWorkToWakeFor = 32 * 1024;

// Runs body over [0, count): on the pool, or on this thread when pool is null or when the work is
// too small to share (`cost` is a rough number of operations per item).
void ParallelFor(ThreadPool* pool, int64_t count, int64_t cost,
                 absl::FunctionRef<void(int64_t begin, int64_t end)> body);

}  // namespace tern

#endif  // TERN_CPU_THREAD_POOL_H_
