// SPDX-License-Identifier: Apache-2.0
// Workers that take parts of the current job from one atomic counter per share, spin for some
// microseconds before the next job, and sleep after that.
#include "cpu/thread_pool.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/clock.h"
#include "base/processor_hint.h"
#include "base/subnormals.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace tern {
namespace {

constexpr int kMaxThreads = 64;
// How often to spin before sleeping: some 50 microseconds, as operators on one thread take.
constexpr int kSpinLimit = 4000;

// How often to spin before taking parts of another thread's share: some 2 microseconds. A thread
// that is a moment late finds its parts where it wrote their operands; moved to another processor's
// cache they take twice as long, in this operator and in the next.
constexpr int kPatience = 160;

// Nanoseconds: the shortest wait for another thread's part that counts as a preemption, and the
// longest back-off. After one preemption this costs a quiet machine little; a crowded machine pays
// a few percent for trying again.
constexpr int64_t kPreemption = 100'000, kMaxBackOff = 200'000'000;

void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

constexpr uint64_t kOneJob = uint64_t{1} << 32;
constexpr uint64_t kPartsLeft = kOneJob - 1;

}  // namespace

ThreadPool::ThreadPool(int threads) {
  const int workers = std::clamp(threads, 1, kMaxThreads) - 1;
  caller_processor_ = CurrentProcessor();
  workers_.reserve(static_cast<size_t>(workers));
  share_count_ = workers + 1;
  shares_ = std::make_unique<Share[]>(static_cast<size_t>(share_count_));
  for (int i = 0; i < workers; ++i) {
    Thread worker([this, i] { Work(i + 1); });
    if (!worker.started()) break;
    workers_.push_back(std::move(worker));
  }
}

ThreadPool::~ThreadPool() {
  ending_ = true;
  ++signal_;
  signal_.notify_all();
  for (Thread& worker : workers_) worker.Join();
}

// Computes the parts of the share that nobody has taken, of whatever job there is, and returns how
// many it computed. It counts them as done together: threads share that counter, and a cache line
// that moves between processors costs some 100 nanoseconds.
int64_t ThreadPool::TakeParts(Share& share) {
  int64_t taken = 0, all = 0;
  uint64_t left = share.left.load(std::memory_order_acquire);
  while ((left & kPartsLeft) != 0) {
    if (!share.left.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel)) continue;
    // The job cannot end before this part is counted.
    all = share.all;
    {
      const SubnormalMode mode(share.flushes);
      (*share.body)(share.end - static_cast<int64_t>(left & kPartsLeft));
    }
    ++taken;
    left = share.left.load(std::memory_order_acquire);
  }
  if (taken == 0) return 0;
  const auto count = static_cast<int32_t>(taken);
  if (done_.fetch_add(count, std::memory_order_acq_rel) + count == all) done_.notify_one();
  return taken;
}

int64_t ThreadPool::TakePartsOfOthers(int thread) {
  int64_t taken = 0;
  for (int i = 1; i < share_count_; ++i) {
    taken += TakeParts(shares_[static_cast<size_t>((thread + i) % share_count_)]);
  }
  return taken;
}

bool ThreadPool::PartsLeft() const {
  for (int i = 0; i < share_count_; ++i) {
    if ((shares_[static_cast<size_t>(i)].left.load() & kPartsLeft) != 0) return true;
  }
  return false;
}

void ThreadPool::Work(int thread) {
  Share& own = shares_[static_cast<size_t>(thread)];
  ProcessorHint hint;
  uint64_t job = 0;
  while (!ending_.load(std::memory_order_relaxed)) {
    int patience = kPatience;
    for (int spin = 0; spin < kSpinLimit; ++spin) {
      const uint64_t now = own.left.load(std::memory_order_relaxed) / kOneJob;
      if (now != job) {
        TakeParts(own);
        hint.Forget();
        job = now;
        spin = 0;
        patience = kPatience;
      } else if (--patience < 0 && TakePartsOfOthers(thread) != 0) {
        spin = 0;
      }
      Pause();
    }
    const int32_t seen = signal_.load();
    ++sleeping_;
    if (!PartsLeft() && !ending_) {
      hint.Avoid(caller_processor_.load(std::memory_order_relaxed));
      signal_.wait(seen);
    }
    --sleeping_;
  }
}

void ThreadPool::RunParts(int64_t parts, Body body) {
  std::unique_lock<std::mutex> lock(running_, std::defer_lock);
  if (workers_.empty() || parts < 2 || parts >= static_cast<int64_t>(INT32_MAX) ||
      !lock.try_lock() || (back_off_until_ != 0 && NowNanos() < back_off_until_)) {
    for (int64_t part = 0; part < parts; ++part) body(part);
    return;
  }
  const int64_t start = NowNanos();
  StartJob(parts, body);
  int64_t own = TakeParts(shares_[0]);
  if (AllDone(parts, kPatience)) return ShortenBackOff();
  own += TakePartsOfOthers(0);
  const int64_t finished = NowNanos();
  WaitForOthers(parts);
  BackOffIfPreempted(own, finished - start, NowNanos() - finished);
}

void ThreadPool::StartJob(int64_t parts, const Body& body) {
  done_.store(0, std::memory_order_relaxed);
  job_ += kOneJob;
  const int64_t count = threads();
  const bool flushes = SubnormalMode::Flushes();
  // The caller's own last: nobody may help it before they have parts themselves.
  for (int64_t i = count - 1; i >= 0; --i) {
    Share& share = shares_[static_cast<size_t>(i)];
    const int64_t begin = i * parts / count;
    share.end = (i + 1) * parts / count;
    share.all = parts;
    share.body = &body;
    share.flushes = flushes;
    share.left.store(job_ | static_cast<uint64_t>(share.end - begin));
  }
  if (sleeping_.load() > 0) {
    caller_processor_.store(CurrentProcessor(), std::memory_order_relaxed);
    ++signal_;
    signal_.notify_all();
  }
}

// Spins that often.
bool ThreadPool::AllDone(int64_t parts, int spins) const {
  for (int spin = 0; spin < spins; ++spin) {
    if (done_.load(std::memory_order_acquire) == parts) return true;
    Pause();
  }
  return false;
}

void ThreadPool::WaitForOthers(int64_t parts) {
  if (AllDone(parts, kSpinLimit)) return;
  for (int32_t done = done_.load(std::memory_order_acquire); done != parts;
       done = done_.load(std::memory_order_acquire)) {
    done_.wait(done, std::memory_order_acquire);
  }
}

// Each worker has one part in hand when this thread runs out of parts. A wait much longer than one
// part means that the OS preempted a worker.
void ThreadPool::BackOffIfPreempted(int64_t own_parts, int64_t own_time, int64_t waited) {
  const int64_t part_time = own_time / std::max<int64_t>(own_parts, 1);
  if (own_parts == 0 || waited < kPreemption || waited < 2 * part_time) return ShortenBackOff();
  back_off_ = std::min(std::max(2 * back_off_, 4 * waited), kMaxBackOff);
  back_off_until_ = NowNanos() + back_off_;
}

void ThreadPool::ShortenBackOff() { back_off_ -= back_off_ / 512; }

void ThreadPool::Run(int64_t count, absl::FunctionRef<void(int64_t, int64_t)> body) {
  if (workers_.empty() || count < 2) {
    body(0, count);
    return;
  }
  // A few parts per thread, so that a thread that is held up does not hold up the others.
  const int64_t parts = std::min<int64_t>(count, int64_t{4} * threads());
  const int64_t size = count / parts, rest = count % parts;
  RunParts(parts, [&](int64_t part) {
    const int64_t begin = part * size + std::min(part, rest);
    body(begin, begin + size + (part < rest ? 1 : 0));
  });
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
                 absl::FunctionRef<void(int64_t, int64_t)> body) {
  if (count <= 0) return;
  const int64_t min = pool != nullptr && pool->Sleeps() ? kSmallWorkToWakeFor : kSmallWork;
  const bool small = cost < min && count < min / std::max<int64_t>(cost, 1);
  if (pool == nullptr || small) {
    body(0, count);
  } else {
    pool->Run(count, body);
  }
}

}  // namespace tern
