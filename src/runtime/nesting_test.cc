// SPDX-License-Identifier: Apache-2.0
// Bounds of graphs that run graphs: each is counted again for each call of the application.
#include "runtime/nesting.h"

#include <gtest/gtest.h>

namespace tern {
namespace {

const char* ErrorAtDepth(int depth) {
  const Nesting nesting(/*is_run=*/true);
  return depth == 1 ? nesting.Error() : ErrorAtDepth(depth - 1);
}

TEST(Nesting, BoundsTheDepth) {
  EXPECT_EQ(ErrorAtDepth(Nesting::kMaxDepth), nullptr);
  EXPECT_NE(ErrorAtDepth(Nesting::kMaxDepth + 1), nullptr);
  EXPECT_EQ(ErrorAtDepth(1), nullptr);
}

TEST(Nesting, BoundsRunsAndPreparations) {
  for (const bool is_run : {true, false}) {
    const int64_t max = is_run ? Nesting::kMaxRuns : Nesting::kMaxPreparations;
    {
      const Nesting outermost(is_run);
      for (int64_t i = 1; i < max; ++i) ASSERT_EQ(Nesting(is_run).Error(), nullptr);
      EXPECT_NE(Nesting(is_run).Error(), nullptr);
      EXPECT_NE(Nesting(!is_run).Error(), nullptr);
    }
    EXPECT_EQ(Nesting(is_run).Error(), nullptr);
  }
}

}  // namespace
}  // namespace tern
