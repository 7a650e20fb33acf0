// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/node_times.h"

#include "gtest/gtest.h"

namespace tern::cli {
namespace {

using EventType = tflite::Profiler::EventType;

class NodeTimesTest : public ::testing::Test {
 protected:
  void Wait(int ms) { now_ += std::chrono::milliseconds(ms); }
  uint32_t Begin(const char* op, int node, int subgraph) {
    return times_.BeginEvent(op, EventType::OPERATOR_INVOKE_EVENT, node, subgraph);
  }

  NodeTimes::Clock::time_point now_;
  NodeTimes times_{[this] { return now_; }};
};

TEST_F(NodeTimesTest, ACalledNodeIsNotCountedInItsCaller) {
  const uint32_t run = times_.BeginEvent("Invoke", EventType::DEFAULT, 0, 0);
  const uint32_t caller = Begin("WHILE", 4, 0);
  for (int call = 0; call < 2; ++call) {
    Wait(3);
    const uint32_t body = Begin("ADD", 0, 1);
    Wait(20);
    times_.EndEvent(body);
  }
  times_.EndEvent(caller);
  times_.EndEvent(run);
  times_.EndRun();
  const std::vector<NodeTime> nodes = times_.Medians();
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].op, "WHILE");
  EXPECT_EQ(nodes[0].node, 4);
  EXPECT_DOUBLE_EQ(nodes[0].ms, 6);
  EXPECT_EQ(nodes[1].op, "ADD");
  EXPECT_EQ(nodes[1].subgraph, 1);
  EXPECT_DOUBLE_EQ(nodes[1].ms, 40);
}

TEST_F(NodeTimesTest, TheMedianIsOverRuns) {
  for (int ms : {7, 90, 8}) {
    const uint32_t node = Begin("ADD", 0, 0);
    Wait(ms);
    times_.EndEvent(node);
    times_.EndRun();
  }
  const std::vector<NodeTime> nodes = times_.Medians();
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_DOUBLE_EQ(nodes[0].ms, 8);
}

TEST_F(NodeTimesTest, WithoutRunsThereIsNothing) { EXPECT_TRUE(times_.Medians().empty()); }

}  // namespace
}  // namespace tern::cli
