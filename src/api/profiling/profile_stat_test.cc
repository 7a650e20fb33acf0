// SPDX-License-Identifier: Apache-2.0
// The line about repeated runs.
#include "tensorflow/lite/profiling/stat.h"

#include <gtest/gtest.h>

namespace tflite {
namespace profiling {
namespace {

Stat Of(const std::vector<int64_t>& values) {
  Stat stat;
  for (const int64_t value : values) stat.Add(value);
  return stat;
}

TEST(Stat, TellsRunsInOneLine) {
  // A line that the reference printed for such runs: two of 328140 and 309932 us.
  EXPECT_EQ(Of({328140, 309932}).TextWithPercentiles(),
            "count=2 first=328140 curr=309932 min=309932 max=328140 avg=319036 std=9104 p5=309932 "
            "median=328140 p95=328140");
  EXPECT_EQ(Of({5}).TextWithPercentiles(), "count=1 curr=5 p5=5 median=5 p95=5");
  EXPECT_EQ(Of({5, 5}).Text(), "count=2 curr=5(all same)");
  EXPECT_EQ(Of({}).TextWithPercentiles(), "count=0 p5=0 median=0 p95=0");
  EXPECT_EQ(Of({1, 2}).Text(), "count=2 first=1 curr=2 min=1 max=2 avg=1.5 std=0");
}

TEST(Stat, PercentilesAreValuesThatOccurred) {
  Stat stat;
  for (int64_t i = 100; i > 0; --i) stat.Add(i);
  EXPECT_EQ(stat.Percentile(0), 1);
  EXPECT_EQ(stat.Percentile(5), 6);
  EXPECT_EQ(stat.Percentile(50), 51);
  EXPECT_EQ(stat.Percentile(100), 100);
}

}  // namespace
}  // namespace profiling
}  // namespace tflite
