// SPDX-License-Identifier: Apache-2.0
//
// Partitioning of hand-made graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tensorflow/lite/graph_info.h"

namespace tflite {
namespace {

using ::testing::ElementsAre;

struct TestNode {
  std::vector<int> inputs;
  std::vector<int> outputs;
  bool side_effect = false;
};

class TestGraph : public GraphInfo {
 public:
  TestGraph(size_t tensors, const std::vector<TestNode>& nodes, std::vector<int> inputs,
            std::vector<int> outputs)
      : tensors_(tensors), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
    for (const TestNode& source : nodes) {
      TfLiteNode node = {};
      node.inputs = Array(source.inputs);
      node.outputs = Array(source.outputs);
      node.might_have_side_effect = source.side_effect;
      nodes_.push_back(node);
    }
  }
  ~TestGraph() override {
    for (TfLiteNode& node : nodes_) {
      TfLiteIntArrayFree(node.inputs);
      TfLiteIntArrayFree(node.outputs);
    }
  }

  static TfLiteIntArray* Array(const std::vector<int>& values) {
    TfLiteIntArray* array = TfLiteIntArrayCreate(static_cast<int>(values.size()));
    for (size_t i = 0; i < values.size(); ++i) array->data[i] = values[i];
    return array;
  }

  size_t num_tensors() const override { return tensors_.size(); }
  TfLiteTensor* tensor(size_t index) override { return &tensors_[index]; }
  TfLiteTensor* tensors() override { return tensors_.data(); }
  size_t num_execution_nodes() const override { return nodes_.size(); }
  size_t num_total_nodes() const override { return nodes_.size(); }
  const TfLiteNode& node(size_t index) const override { return nodes_[index]; }
  const TfLiteRegistration& registration(size_t) const override { return registration_; }
  size_t node_index(size_t index) const override { return index; }
  const std::vector<int>& inputs() const override { return inputs_; }
  const std::vector<int>& outputs() const override { return outputs_; }
  const std::vector<int>& variables() const override { return variables_; }

 private:
  std::vector<TfLiteTensor> tensors_;
  std::vector<TfLiteNode> nodes_;
  std::vector<int> inputs_;
  std::vector<int> outputs_;
  std::vector<int> variables_;
  TfLiteRegistration registration_ = {};
};

std::vector<NodeSubset> Split(const TestGraph& graph, const std::vector<int>& taken,
                              bool greedily = true, const ControlEdges* edges = nullptr,
                              bool one_each = false, TfLiteStatus want = kTfLiteOk) {
  TfLiteIntArray* nodes = TestGraph::Array(taken);
  std::vector<NodeSubset> subsets;
  EXPECT_EQ(
      PartitionGraphIntoIndependentNodeSubsets(&graph, nodes, &subsets, greedily, edges, one_each),
      want);
  TfLiteIntArrayFree(nodes);
  return subsets;
}

TEST(Partition, EmptyGraph) {
  const TestGraph graph(0, {}, {}, {});
  EXPECT_TRUE(Split(graph, {}).empty());
}

TEST(Partition, OneUnsupportedNodeInTheMiddle) {
  const TestGraph graph(4, {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}}, {0}, {3});
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
  const TestGraph graph(5, {{{0}, {1}}, {{0}, {2}}, {{1}, {3}}, {{3, 2}, {4}}}, {0}, {4});
  const auto subsets = Split(graph, {0, 2, 3});
  ASSERT_EQ(subsets.size(), 3u);
  EXPECT_THAT(subsets[0].nodes, ElementsAre(0, 2));
  EXPECT_THAT(subsets[1].nodes, ElementsAre(1));
  EXPECT_THAT(subsets[2].nodes, ElementsAre(3));
  EXPECT_THAT(subsets[2].input_tensors, ElementsAre(2, 3));
}

TEST(Partition, NonGreedyKeepsTheOrder) {
  const TestGraph graph(5, {{{0}, {1}}, {{0}, {2}}, {{1}, {3}}, {{3, 2}, {4}}}, {0}, {4});
  const auto subsets = Split(graph, {0, 2, 3}, /*greedily=*/false);
  ASSERT_EQ(subsets.size(), 3u);
  EXPECT_THAT(subsets[0].nodes, ElementsAre(0));
  EXPECT_THAT(subsets[1].nodes, ElementsAre(1));
  EXPECT_THAT(subsets[2].nodes, ElementsAre(2, 3));
}

TEST(Partition, WithoutFusionEveryNodeStandsAlone) {
  const TestGraph graph(4, {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}}, {0}, {3});
  const auto subsets = Split(graph, {0, 1, 2}, true, nullptr, /*one_each=*/true);
  ASSERT_EQ(subsets.size(), 3u);
  for (const NodeSubset& subset : subsets) EXPECT_EQ(subset.nodes.size(), 1u);
}

TEST(Partition, ConstantsAreInputsAndOptionalTensorsAreNot) {
  // Tensor 1 is a constant; the second input of node 1 is left out.
  const TestGraph graph(4, {{{0, 1}, {2}}, {{2, -1, 1}, {3}}}, {0}, {3});
  const auto subsets = Split(graph, {0, 1});
  ASSERT_EQ(subsets.size(), 1u);
  EXPECT_THAT(subsets[0].input_tensors, ElementsAre(0, 1));
  EXPECT_THAT(subsets[0].output_tensors, ElementsAre(3));
}

TEST(Partition, GraphOutputThatIsAnInputIsIgnored) {
  const TestGraph graph(2, {{{0}, {1}}}, {0}, {0, 1});
  const auto subsets = Split(graph, {0});
  ASSERT_EQ(subsets.size(), 1u);
  EXPECT_THAT(subsets[0].output_tensors, ElementsAre(1));
}

TEST(Partition, InnerTensorThatIsAGraphOutputIsKept) {
  const TestGraph graph(3, {{{0}, {1}}, {{1}, {2}}}, {0}, {1, 2});
  const auto subsets = Split(graph, {0, 1});
  ASSERT_EQ(subsets.size(), 1u);
  EXPECT_THAT(subsets[0].output_tensors, ElementsAre(1, 2));
}

TEST(Partition, ControlEdgesAreKept) {
  // Nodes 0 and 2 are independent by tensors; the edge puts 1 between them.
  const TestGraph graph(4, {{{0}, {1}}, {{0}, {2}}, {{0}, {3}}}, {0}, {1, 2, 3});
  ASSERT_EQ(Split(graph, {0, 2}).size(), 2u);
  const ControlEdges edges = {{0, 1}, {1, 2}};
  const auto subsets = Split(graph, {0, 2}, true, &edges);
  ASSERT_EQ(subsets.size(), 3u);
  EXPECT_THAT(subsets[2].nodes, ElementsAre(2));
}

TEST(Partition, SideEffectsStayInOrder) {
  const TestGraph graph(4, {{{0}, {1}, true}, {{0}, {2}, true}, {{0}, {3}, true}}, {0}, {1, 2, 3});
  EXPECT_EQ(Split(graph, {0, 2}).size(), 3u);
  const ControlEdges none;
  EXPECT_EQ(Split(graph, {0, 2}, true, &none).size(), 2u);
}

TEST(Partition, NodeOutOfRangeIsAnError) {
  const TestGraph graph(2, {{{0}, {1}}}, {0}, {1});
  Split(graph, {1}, true, nullptr, false, kTfLiteError);
  Split(graph, {-1}, true, nullptr, false, kTfLiteError);
}

TEST(Partition, CycleIsAnError) {
  const TestGraph graph(3, {{{0, 2}, {1}}, {{1}, {2}}}, {0}, {2});
  Split(graph, {0}, true, nullptr, false, kTfLiteError);
}

}  // namespace
}  // namespace tflite
