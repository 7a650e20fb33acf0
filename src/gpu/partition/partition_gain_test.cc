// SPDX-License-Identifier: Apache-2.0
// Gains against each other.
#include "gpu/partition/partition_gain.h"

#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

TEST(PartitionGainTest, NothingToDoIsALoss) {
  EXPECT_LT(EstimateGain({}), 0);
  EXPECT_LT(EstimateGain({{{100, 800}}, 800}), 0);
}

TEST(PartitionGainTest, WorkCountsMoreThanTheNumberOfNodes) {
  const PartitionCost convolution = {{{100'000'000, 1'000'000}}, 500'000};
  const PartitionCost small_nodes = {std::vector<NodeCost>(20, {10'000, 80'000}), 80'000};
  EXPECT_GT(EstimateGain(convolution), 0);
  EXPECT_GT(EstimateGain(convolution), EstimateGain(small_nodes));
}

TEST(PartitionGainTest, WhatIsCopiedCounts) {
  const std::vector<NodeCost> nodes(3, {1'000'000, 8'000'000});
  EXPECT_GT(EstimateGain({nodes, 1'000'000}), EstimateGain({nodes, 9'000'000}));
}

TEST(PartitionGainTest, HugeCostsStayInOrder) {
  constexpr int64_t kMost = int64_t{1} << 62;
  EXPECT_GT(EstimateGain({std::vector<NodeCost>(50, {kMost, kMost}), 0}), 0);
  EXPECT_LT(EstimateGain({{}, kMost}), 0);
}

}  // namespace
}  // namespace tern::gpu
