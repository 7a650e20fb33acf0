// SPDX-License-Identifier: Apache-2.0
//
// Partitioning of hand-made graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "runtime/testing/bare_graph.h"
#include "tensorflow/lite/graph_info.h"

namespace tflite {
namespace {

using tern::testing::BareGraph;
using ::testing::ElementsAre;

std::vector<NodeSubset> Split(const BareGraph& graph, const std::vector<int>& taken,
                              bool greedily = true, const ControlEdges* edges = nullptr,
                              bool one_each = false, TfLiteStatus want = kTfLiteOk) {
  TfLiteIntArray* nodes = BareGraph::Array(taken);
  std::vector<NodeSubset> subsets;
  EXPECT_EQ(
      PartitionGraphIntoIndependentNodeSubsets(&graph, nodes, &subsets, greedily, edges, one_each),
      want);
  TfLiteIntArrayFree(nodes);
  return subsets;
}

TEST(Partition, EmptyGraph) {
  const BareGraph graph(0, {}, {}, {});
  EXPECT_TRUE(Split(graph, {}).empty());
}

TEST(Partition, OneUnsupportedNodeInTheMiddle) {
  const BareGraph graph(4, {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}}, {0}, {3});
  const auto subsets = Split(graph, {0, 2});
  ASSERT_EQ(subsets.size(), 3u);
  EXPECT_EQ(subsets[0].type, NodeSubset::kTfPartition);
  EXPECT_EQ(subsets[1].type, NodeSubset::kTfNonPartition);
  EXPECT_EQ(subsets[2].type, NodeSubset::kTfPartition);
  EXPECT_THAT(subsets[1].nodes, ElementsAre(1));
  EXPECT_THAT(subsets[1].input_tensors, ElementsAre(1));
  EXPECT_THAT(subsets[1].output_tensors, ElementsAre(2));
  EXPECT_THAT(subsets[2].output_tensors, ElementsAre(3));
}

// Nodes 0, 2, 3 are a chain; node 1 is a branch on the CPU that joins at node 3.
TEST(Partition, GreedyPullsIndependentNodesForward) {
  const BareGraph graph(5, {{{0}, {1}}, {{0}, {2}}, {{1}, {3}}, {{3, 2}, {4}}}, {0}, {4});
  const auto subsets = Split(graph, {0, 2, 3});
  ASSERT_EQ(subsets.size(), 3u);
  EXPECT_THAT(subsets[0].nodes, ElementsAre(0, 2));
  EXPECT_THAT(subsets[1].nodes, ElementsAre(1));
  EXPECT_THAT(subsets[2].nodes, ElementsAre(3));
  EXPECT_THAT(subsets[2].input_tensors, ElementsAre(2, 3));
}

TEST(Partition, ControlEdgesOfNoNodeOrToItselfAreErrors) {
  const BareGraph graph(3, {{{0}, {1}}, {{1}, {2}}}, {0}, {2});
  const ControlEdges fine = {{0, 1}};
  EXPECT_EQ(Split(graph, {0, 1}, true, &fine).size(), 1u);
  for (const auto& bad : {std::pair(-1, 1), {0, 2}, {2, 0}, {1, -7}, {1, 1}, {0, 1 << 30}}) {
    const ControlEdges edges = {{0, 1}, bad};
    EXPECT_TRUE(Split(graph, {0, 1}, true, &edges, false, kTfLiteError).empty());
  }
}

TEST(Partition, NonGreedyKeepsTheOrder) {
  const BareGraph graph(5, {{{0}, {1}}, {{0}, {2}}, {{1}, {3}}, {{3, 2}, {4}}}, {0}, {4});
  const auto subsets = Split(graph, {0, 2, 3}, /*greedily=*/false);
  ASSERT_EQ(subsets.size(), 3u);
  EXPECT_THAT(subsets[0].nodes, ElementsAre(0));
  EXPECT_THAT(subsets[1].nodes, ElementsAre(1));
  EXPECT_THAT(subsets[2].nodes, ElementsAre(2, 3));
}

TEST(Partition, WithoutFusionEveryNodeStandsAlone) {
  const BareGraph graph(4, {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}}, {0}, {3});
  const auto subsets = Split(graph, {0, 1, 2}, true, nullptr, /*one_each=*/true);
  ASSERT_EQ(subsets.size(), 3u);
  for (const NodeSubset& subset : subsets) EXPECT_EQ(subset.nodes.size(), 1u);
}

TEST(Partition, ConstantsAreInputsAndOptionalTensorsAreNot) {
  // Tensor 1 is a constant; the second input of node 1 is left out.
  const BareGraph graph(4, {{{0, 1}, {2}}, {{2, -1, 1}, {3}}}, {0}, {3});
  const auto subsets = Split(graph, {0, 1});
  ASSERT_EQ(subsets.size(), 1u);
  EXPECT_THAT(subsets[0].input_tensors, ElementsAre(0, 1));
  EXPECT_THAT(subsets[0].output_tensors, ElementsAre(3));
}

TEST(Partition, GraphOutputThatIsAnInputIsIgnored) {
  const BareGraph graph(2, {{{0}, {1}}}, {0}, {0, 1});
  const auto subsets = Split(graph, {0});
  ASSERT_EQ(subsets.size(), 1u);
  EXPECT_THAT(subsets[0].output_tensors, ElementsAre(1));
}

TEST(Partition, InnerTensorThatIsAGraphOutputIsKept) {
  const BareGraph graph(3, {{{0}, {1}}, {{1}, {2}}}, {0}, {1, 2});
  const auto subsets = Split(graph, {0, 1});
  ASSERT_EQ(subsets.size(), 1u);
  EXPECT_THAT(subsets[0].output_tensors, ElementsAre(1, 2));
}

TEST(Partition, ControlEdgesAreKept) {
  // Nodes 0 and 2 are independent by tensors; the edge puts 1 between them.
  const BareGraph graph(4, {{{0}, {1}}, {{0}, {2}}, {{0}, {3}}}, {0}, {1, 2, 3});
  ASSERT_EQ(Split(graph, {0, 2}).size(), 2u);
  const ControlEdges edges = {{0, 1}, {1, 2}};
  const auto subsets = Split(graph, {0, 2}, true, &edges);
  ASSERT_EQ(subsets.size(), 3u);
  EXPECT_THAT(subsets[2].nodes, ElementsAre(2));
}

TEST(Partition, SideEffectsStayInOrder) {
  const BareGraph graph(4, {{{0}, {1}, true}, {{0}, {2}, true}, {{0}, {3}, true}}, {0}, {1, 2, 3});
  EXPECT_EQ(Split(graph, {0, 2}).size(), 3u);
  const ControlEdges none;
  EXPECT_EQ(Split(graph, {0, 2}, true, &none).size(), 2u);
}

TEST(Partition, NodeOutOfRangeIsAnError) {
  const BareGraph graph(2, {{{0}, {1}}}, {0}, {1});
  Split(graph, {1}, true, nullptr, false, kTfLiteError);
  Split(graph, {-1}, true, nullptr, false, kTfLiteError);
}

TEST(Partition, CycleIsAnError) {
  const BareGraph graph(3, {{{0, 2}, {1}}, {{1}, {2}}}, {0}, {2});
  Split(graph, {0}, true, nullptr, false, kTfLiteError);
}

// Node 1 writes the graph input that nodes 0 and 2 read: 0 and 2 see different values.
TEST(Partition, NodesKeepTheirSideOfAWriteToAGraphInput) {
  const BareGraph graph(5, {{{0}, {1}}, {{4}, {0}}, {{0, 1}, {2}}}, {0, 4}, {2});
  const auto subsets = Split(graph, {0, 2});
  ASSERT_EQ(subsets.size(), 3u);
  EXPECT_THAT(subsets[0].nodes, ElementsAre(0));
  EXPECT_THAT(subsets[0].input_tensors, ElementsAre(0));
  EXPECT_THAT(subsets[1].nodes, ElementsAre(1));
  EXPECT_THAT(subsets[1].output_tensors, ElementsAre(0));
  EXPECT_THAT(subsets[2].nodes, ElementsAre(2));
  EXPECT_THAT(subsets[2].input_tensors, ElementsAre(0, 1));
}

// Tensor 1 is written by nodes 0 and 2; nodes 1 and 3 read it in between and after.
TEST(Partition, ASecondWriteIsNotOvertaken) {
  const BareGraph graph(5, {{{0}, {1}}, {{1}, {2}}, {{4}, {1}}, {{1, 2}, {3}}}, {0, 4}, {3});
  for (const std::vector<int>& taken : {std::vector<int>{1, 3}, {0, 2}, {2}}) {
    const auto subsets = Split(graph, taken);
    std::vector<int> order;
    for (const NodeSubset& subset : subsets) {
      order.insert(order.end(), subset.nodes.begin(), subset.nodes.end());
    }
    EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
  }
  const auto subsets = Split(graph, {1, 3});
  ASSERT_EQ(subsets.size(), 4u);
  EXPECT_THAT(subsets[0].output_tensors, ElementsAre(1));
  EXPECT_THAT(subsets[3].input_tensors, ElementsAre(1, 2));
}

}  // namespace
}  // namespace tflite
