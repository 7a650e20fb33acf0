// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/launch_times.h"

#include <gtest/gtest.h>

namespace tern::cli {
namespace {

constexpr char kReport[] = R"({"trace": {"launches": [
  {"name": "CONV_2D #0", "kernel": "sum", "start_ns": 0, "ns": 9000000}, {"name": "CONV_2D #0", "start_ns": 1, "ns": 8000000},
  {"name": "CONV_2D #0", "start_ns": 2, "ns": 1000000}, {"name": "CONV_2D #0", "start_ns": 3, "ns": 500000},
  {"name": "CONV_2D #0", "start_ns": 4, "ns": 3000000}, {"name": "CONV_2D #0", "start_ns": 5, "ns": 700000},
  {"name": "CONV_2D #0", "start_ns": 6, "ns": 2000000}, {"name": "CONV_2D #0", "start_ns": 7, "ns": 600000}]},
  "decisions": [{"subgraph": 0, "index": 0, "op": "CONV_2D", "multiply_adds": 250},
                {"subgraph": 1, "index": 0, "op": "CONV_2D", "multiply_adds": 7}]})";

TEST(LaunchTimes, MediansWithoutTheFirstRun) {
  const std::vector<LaunchTime> launches = MedianLaunches(kReport, 4);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].label, "CONV_2D #0");
  EXPECT_EQ(launches[0].kernel, "sum");
  EXPECT_DOUBLE_EQ(launches[0].ms, 2);
  EXPECT_DOUBLE_EQ(launches[1].ms, 0.6);
  // The node's multiplications are done with its last launch.
  EXPECT_EQ(launches[0].multiply_adds, 0);
  EXPECT_EQ(launches[1].multiply_adds, 250);
  EXPECT_EQ(launches[0].Gmacs(), 0);
  EXPECT_DOUBLE_EQ(launches[1].Gmacs(), 250 / 2.6e6);
  EXPECT_DOUBLE_EQ(SumMs(launches), 2.6);
}

TEST(LaunchTimes, WhatTellsNoTimesHasNone) {
  EXPECT_TRUE(MedianLaunches("", 3).empty());
  EXPECT_TRUE(MedianLaunches("[]", 3).empty());
  EXPECT_TRUE(MedianLaunches(R"({"trace": {"launches": []}})", 3).empty());
  EXPECT_TRUE(MedianLaunches(kReport, 3).empty()) << "no whole runs";
  EXPECT_TRUE(MedianLaunches(kReport, 0).empty());
}

}  // namespace
}  // namespace tern::cli
