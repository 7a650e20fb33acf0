// SPDX-License-Identifier: Apache-2.0
// Threads that start, and those that the system refuses.
#include "base/thread.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <utility>
#include <vector>

namespace tern {
namespace {

TEST(Thread, RunsItsBody) {
  std::atomic<int> sum = 0;
  std::vector<Thread> threads;
  for (int i = 1; i <= 4; ++i) threads.emplace_back([&sum, i] { sum += i; });
  for (Thread& thread : threads) {
    EXPECT_TRUE(thread.started());
    EXPECT_FALSE(thread.IsCurrent());
    thread.Join();
    EXPECT_FALSE(thread.started());
  }
  EXPECT_EQ(sum, 10);
}

TEST(Thread, NoneIsNothing) {
  Thread none;
  EXPECT_FALSE(none.started());
  EXPECT_FALSE(none.IsCurrent());
  none.Join();
  none.Detach();
}

// In a child, which alone gives up its address space: after the stacks of earlier threads are used
// up, another finds no room.
TEST(Thread, MayBeRefused) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs the address space";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "a sanitizer needs the address space";
#endif
#endif
  constexpr int kNotLimited = 77;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit none{1 << 20, 1 << 20};
    rlimit kept;
    if (setrlimit(RLIMIT_AS, &none) != 0 || getrlimit(RLIMIT_AS, &kept) != 0) _exit(2);
    if (kept.rlim_cur != none.rlim_cur) _exit(kNotLimited);
    for (int i = 0; i < 64; ++i) {
      Thread thread([] { pause(); });
      if (!thread.started()) _exit(0);
      thread.Detach();
    }
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNotLimited) GTEST_SKIP() << "no limit of the address space (QEMU)";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tern
