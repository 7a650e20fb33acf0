// SPDX-License-Identifier: Apache-2.0
// The worker threads: every item once, pools shared per owner and size.
#include "cpu/thread_pool.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/subnormals.h"

namespace tern {
namespace {

TEST(ThreadPool, VisitsEveryItemOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (const int64_t count : {0, 1, 2, 7, 31, 1000}) {
      std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
      pool.Run(count, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) ++visits[static_cast<size_t>(i)];
      });
      for (const auto& v : visits) EXPECT_EQ(v, 1);
    }
  }
}

TEST(ThreadPool, ParallelForRunsSmallWorkInOnePiece) {
  ThreadPool pool(4);
  std::atomic<int> pieces = 0;
  ParallelFor(&pool, 100, 1, [&](int64_t, int64_t) { ++pieces; });
  EXPECT_EQ(pieces, 1);
  std::atomic<int64_t> items = 0;
  ParallelFor(&pool, 100, 1 << 20, [&](int64_t begin, int64_t end) { items += end - begin; });
  ParallelFor(nullptr, 100, 1 << 20, [&](int64_t begin, int64_t end) { items += end - begin; });
  EXPECT_EQ(items, 200);
}

TEST(ThreadPool, ManyJobsOneAfterTheOther) {
  ThreadPool pool(4);
  for (int job = 0; job < 20000; ++job) {
    std::atomic<int64_t> sum = 0;
    const int64_t parts = job % 9;
    pool.RunParts(parts, [&](int64_t part) { sum += part + 1; });
    ASSERT_EQ(sum, parts * (parts + 1) / 2) << job;
  }
}

TEST(ThreadPool, ThreadsTreatSubnormalNumbersAsTheCallerDoes) {
  ThreadPool pool(4);
  for (int job = 0; job < 400; ++job) {
    const SubnormalMode mode(job % 2 == 0);
    const bool flushes = SubnormalMode::Flushes();
    std::atomic<int> others = 0;
    pool.RunParts(16, [&](int64_t) { others += SubnormalMode::Flushes() != flushes ? 1 : 0; });
    ASSERT_EQ(others, 0) << job;
  }
  EXPECT_FALSE(SubnormalMode::Flushes());
}

TEST(ThreadPool, SleepingWorkersWakeUp) {
  ThreadPool pool(3);
  std::atomic<int> together = 0;
  for (int job = 0; job < 20; ++job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    // Two parts that wait for each other need two threads. Not every job gets them on a crowded
    // machine.
    std::atomic<int> inside = 0;
    const auto latest = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    pool.RunParts(2, [&](int64_t) {
      ++inside;
      while (inside < 2 && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
      together += inside == 2 && std::chrono::steady_clock::now() < latest ? 1 : 0;
    });
  }
  EXPECT_GT(together, 0);
}

TEST(ThreadPool, WorksAloneAfterItWasHeldUp) {
  ThreadPool pool(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> hold_up = true;
  std::atomic<int> by_others = 0;
  const auto body = [&](int64_t) {
    if (std::this_thread::get_id() == caller) return;
    ++by_others;
    if (hold_up) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  // The worker may come too late for a part.
  for (int job = 0; job < 1000 && by_others == 0; ++job) pool.RunParts(1000, body);
  ASSERT_GT(by_others, 0);
  hold_up = false;
  by_others = 0;
  pool.RunParts(1000, body);
  EXPECT_EQ(by_others, 0);
  // Not for ever.
  for (int job = 0; job < 1000 && by_others == 0; ++job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    pool.RunParts(100000, body);
  }
  EXPECT_GT(by_others, 0);
}

#ifdef __linux__
int ProcessorsOf(pid_t thread) {
  cpu_set_t set;
  return sched_getaffinity(thread, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
}

// A thread of this process that may not run on all of the caller's processors.
bool SomeThreadAvoidsOne() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    const pid_t thread = std::stoi(task.path().filename());
    if (ProcessorsOf(thread) == ProcessorsOf(0) - 1) return true;
  }
  return false;
}

TEST(ThreadPool, SleepingWorkersAvoidTheProcessorOfTheCaller) {
  const int all = ProcessorsOf(0);
  if (all < 2) GTEST_SKIP() << "one processor";
  ThreadPool pool(2);
  for (int wait = 0; wait < 1000 && !SomeThreadAvoidsOne(); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(SomeThreadAvoidsOne());
  // Until they have worked.
  const auto caller = std::this_thread::get_id();
  std::atomic<int> seen = 0;
  for (int job = 0; job < 1000 && seen != all; ++job) {
    pool.RunParts(1000, [&](int64_t) {
      if (std::this_thread::get_id() != caller) seen = ProcessorsOf(0);
    });
  }
  EXPECT_EQ(seen, all);
}
#endif

TEST(ThreadPool, CallsInsideCallsAndFromOtherThreads) {
  ThreadPool pool(3);
  std::atomic<int> calls = 0;
  const auto nested = [&] {
    pool.RunParts(5, [&](int64_t) { pool.RunParts(7, [&](int64_t) { ++calls; }); });
  };
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) nested();
  });
  for (int i = 0; i < 100; ++i) nested();
  other.join();
  EXPECT_EQ(calls, 2 * 100 * 5 * 7);
}

TEST(ThreadPool, SharedByOwnerAndSize) {
  int a = 0, b = 0;
  const auto first = SharedThreadPool(&a, 2);
  EXPECT_EQ(first, SharedThreadPool(&a, 2));
  EXPECT_NE(first, SharedThreadPool(&a, 3));
  EXPECT_NE(first, SharedThreadPool(&b, 2));
}

TEST(ThreadPool, AbsurdSizesAreLimited) {
  EXPECT_EQ(ThreadPool(-5).threads(), 1);
  EXPECT_LE(ThreadPool(1 << 30).threads(), 64);
}

}  // namespace
}  // namespace tern
