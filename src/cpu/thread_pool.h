// SPDX-License-Identifier: Apache-2.0
// The worker threads of the CPU path. One pool serves every op of an interpreter, and the same pool
// is handed to XNNPACK, so that a model never runs on more threads than its user asked for.
#ifndef TERN_CPU_THREAD_POOL_H_
#define TERN_CPU_THREAD_POOL_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace tern {

class ThreadPool {
 public:
  // `threads` counts the calling thread too; values are limited to 1..64.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  // Calls body(begin, end) for consecutive ranges that cover [0, count), from several threads, and
  // waits for all.
  void Run(int64_t count, const std::function<void(int64_t begin, int64_t end)>& body);

  // The pool as XNNPACK wants it; null when there is only one thread.
  void* handle() const { return handle_; }

  // False for a while after other programs have pushed the calling thread off its processor.
  // Workers wait for each other by spinning, so on a crowded machine several threads are slower
  // than one.
  bool HasRoom();

 private:
  int threads_;
  void* handle_ = nullptr;
  int64_t preemptions_ = -1;
  std::chrono::steady_clock::time_point alone_until_;
};

// The pool of `threads` threads that belongs to `owner` (any address that stands for an
// interpreter). It lives as long as somebody holds it.
std::shared_ptr<ThreadPool> SharedThreadPool(const void* owner, int threads);

// Runs body over [0, count): on the pool, or on this thread when pool is null or when the work is
// too small to share
// (`cost` is a rough number of operations per item).
void ParallelFor(ThreadPool* pool, int64_t count, int64_t cost,
                 const std::function<void(int64_t begin, int64_t end)>& body);

}  // namespace tern

#endif  // TERN_CPU_THREAD_POOL_H_
