// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tern::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kReport[] = R"({"slice_width": 4, "decisions": [
  {"subgraph": 0, "index": 0, "op": "CONV_2D", "decision": "gpu"},
  {"subgraph": 0, "index": 1, "op": "WHERE", "decision": "cpu", "bytes_crossing": 2000,
   "reason": "this operation has no GPU form", "suggestion": "leave it out"},
  {"subgraph": 0, "index": 2, "op": "CAST", "decision": "cpu", "bytes_crossing": 10}],
  "crossings": [{"cut": true, "bytes": 2000}, {"cut": false, "bytes": 1}, {"cut": true, "bytes": 48}]})";

GpuRun ExampleRun() {
  return {
      kReport,
      {{"CONV_2D #0", 4, 0}, {"TRANSPOSE #3", 1, 0}, {"RESHAPE #4", 2, 0}, {"CONV_2D #5", 1, 0}},
      {{0, 6}, {5, 8}, {3, 7}},
      10};
}

TEST(Advice, OfThePlan) {
  const std::vector<Advice> advice = Largest(AdviceOfPlan(ExampleRun()), 9);
  ASSERT_THAT(advice, SizeIs(3));
  EXPECT_DOUBLE_EQ(advice[0].gain_ms, 3);  // of launches
  EXPECT_THAT(advice[0].text,
              HasSubstr("2 launches only move elements; the longest is RESHAPE #4"));
  EXPECT_DOUBLE_EQ(advice[1].gain_ms, 2);  // a run without its launches
  EXPECT_THAT(advice[1].text, HasSubstr("2 nodes stay on the CPU, and 2 tensors of 2 KiB cross"));
  EXPECT_THAT(advice[1].text, HasSubstr("WHERE #1 (this operation has no GPU form): leave it out"));
  EXPECT_DOUBLE_EQ(advice[2].gain_ms, 1);  // 2 of 8 channels
  EXPECT_THAT(advice[2].text,
              HasSubstr("no multiple of 4, first CONV_2D #0 with 6: give it 8 or 4"));
  for (const Advice& one : advice) EXPECT_FALSE(one.measured || one.of_start);
}

TEST(Advice, WithoutTimesOnlyCutsAreReported) {
  GpuRun run = ExampleRun();
  run.launches.clear();
  const std::vector<Advice> advice = AdviceOfPlan(run);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_EQ(advice[0].gain_ms, 0);
}

TEST(Advice, NoiseIsNoGain) {
  GpuRun run = ExampleRun();
  run.run_ms = 100;  // the launches are less than a twentieth of it
  EXPECT_THAT(AdviceOfPlan(run), SizeIs(1));
  EXPECT_THAT(AdviceOfTrial({"tune", 10, 9.6}), IsEmpty());
  EXPECT_THAT(AdviceOfTrial({"tune", 0.05, 0.035}), IsEmpty());
  EXPECT_THAT(AdviceOfTrial({"tune", 10, 11}), IsEmpty());
  const std::vector<Advice> trial = AdviceOfTrial({"tune", 10, 9, true});
  ASSERT_THAT(trial, SizeIs(1));
  EXPECT_TRUE(trial[0].measured && trial[0].of_start);
  EXPECT_EQ(trial[0].text, "tune: 9 ms instead of 10 ms");
}

TEST(Advice, RunsComeBeforeStarts) {
  const std::vector<Advice> advice =
      Largest({{5, true, true, "start"}, {1, true, false, "less"}, {2, false, false, "more"}}, 2);
  ASSERT_THAT(advice, SizeIs(2));
  EXPECT_EQ(advice[0].text, "more");
  EXPECT_EQ(advice[1].text, "less");
}

TEST(Advice, OfNoReport) {
  for (const char* report : {"", "[]", "{}", R"({"decisions": [{}], "crossings": [{}]})"}) {
    EXPECT_THAT(AdviceOfPlan({report, {}, {}, 1}), IsEmpty()) << report;
  }
}

}  // namespace
}  // namespace tern::cli
