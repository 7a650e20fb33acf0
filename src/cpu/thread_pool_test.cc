// SPDX-License-Identifier: Apache-2.0
// The worker threads: every item once, pools shared per owner and size.
#include "cpu/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

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
