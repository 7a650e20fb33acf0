// SPDX-License-Identifier: Apache-2.0
// Worker threads, by way of the pthreadpool library that XNNPACK uses too. Without XNNPACK
// everything runs on the calling thread.
#include "cpu/thread_pool.h"

#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#if TERN_WITH_XNNPACK
#include <pthreadpool.h>
#endif

namespace tern {
namespace {

constexpr int kMaxThreads = 64;
// Below this many operations waking the workers costs more than it saves.
constexpr int64_t kSmallWork = 32 * 1024;
// How long to stay on one thread after signs of a crowded machine.
constexpr std::chrono::milliseconds kCrowdedTime(10);

}  // namespace

#if TERN_WITH_XNNPACK

namespace {

struct Job {
  const std::function<void(int64_t, int64_t)>* body;
  int64_t count;
  int64_t parts;
};

void RunPart(void* context, size_t part) {
  const Job& job = *static_cast<const Job*>(context);
  const int64_t index = static_cast<int64_t>(part);
  const int64_t size = job.count / job.parts;
  const int64_t rest = job.count % job.parts;
  const int64_t begin = index * size + std::min(index, rest);
  (*job.body)(begin, begin + size + (index < rest ? 1 : 0));
}

}  // namespace

ThreadPool::ThreadPool(int threads) : threads_(std::clamp(threads, 1, kMaxThreads)) {
  if (threads_ > 1) handle_ = pthreadpool_create(static_cast<size_t>(threads_));
  if (handle_ == nullptr) threads_ = 1;
}

ThreadPool::~ThreadPool() {
  if (handle_ != nullptr) pthreadpool_destroy(static_cast<pthreadpool_t>(handle_));
}

void ThreadPool::Run(int64_t count, const std::function<void(int64_t, int64_t)>& body) {
  if (handle_ == nullptr || count < 2 || !HasRoom()) {
    body(0, count);
    return;
  }
  // A few parts per thread, so that a thread that is held up does not hold up the others.
  Job job{&body, count, std::min<int64_t>(count, int64_t{4} * threads_)};
  pthreadpool_parallelize_1d(static_cast<pthreadpool_t>(handle_), RunPart, &job,
                             static_cast<size_t>(job.parts), 0);
}

#else

ThreadPool::ThreadPool(int) : threads_(1) {}
ThreadPool::~ThreadPool() = default;
void ThreadPool::Run(int64_t count, const std::function<void(int64_t, int64_t)>& body) {
  body(0, count);
}

#endif  // TERN_WITH_XNNPACK

bool ThreadPool::HasRoom() {
#ifdef RUSAGE_THREAD
  rusage usage;
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return true;
  const auto now = std::chrono::steady_clock::now();
  if (usage.ru_nivcsw != preemptions_) {
    if (preemptions_ >= 0) alone_until_ = now + kCrowdedTime;
    preemptions_ = usage.ru_nivcsw;
  }
  return now >= alone_until_;
#else
  return true;
#endif
}

std::shared_ptr<ThreadPool> SharedThreadPool(const void* owner, int threads) {
  static std::mutex mutex;
  static auto& pools = *new std::map<std::pair<const void*, int>, std::weak_ptr<ThreadPool>>();
  std::lock_guard<std::mutex> lock(mutex);
  for (auto it = pools.begin(); it != pools.end();) {
    it = it->second.expired() ? pools.erase(it) : std::next(it);
  }
  std::weak_ptr<ThreadPool>& slot = pools[{owner, threads}];
  std::shared_ptr<ThreadPool> pool = slot.lock();
  if (pool == nullptr) {
    pool = std::make_shared<ThreadPool>(threads);
    slot = pool;
  }
  return pool;
}

void ParallelFor(ThreadPool* pool, int64_t count, int64_t cost,
                 const std::function<void(int64_t, int64_t)>& body) {
  if (count <= 0) return;
  const bool small = cost < kSmallWork && count < kSmallWork / std::max<int64_t>(cost, 1);
  if (pool == nullptr || small) {
    body(0, count);
  } else {
    pool->Run(count, body);
  }
}

}  // namespace tern
