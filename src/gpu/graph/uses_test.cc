// SPDX-License-Identifier: Apache-2.0
// Writers and readers of tensors.
#include "gpu/graph/uses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Node NodeOf(int index, std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
  Node node;
  node.index = index;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

TEST(Uses, WritersAndReadersByNumberInTheModel) {
  Graph graph;
  graph.tensors.resize(4);
  graph.nodes = {NodeOf(7, {0, -1, 0}, {1}), NodeOf(5, {1, 0}, {2}), NodeOf(9, {1}, {2})};
  const Uses uses(graph);
  EXPECT_EQ(uses.WriterOf(0), -1);
  EXPECT_EQ(uses.WriterOf(1), 7);
  EXPECT_EQ(uses.WriterOf(2), 9) << "the last one";
  EXPECT_THAT(uses.ReadersOf(0), ElementsAre(7, 5)) << "each once";
  EXPECT_THAT(uses.ReadersOf(1), ElementsAre(5, 9));
  EXPECT_THAT(uses.ReadersOf(2), IsEmpty());
}

TEST(Uses, OperandsThatDoNotExist) {
  Graph graph;
  graph.tensors.resize(1);
  graph.nodes = {NodeOf(0, {-1, 1, 1000}, {-1, 4})};
  const Uses uses(graph);
  for (const TensorId id : {-1, 0, 1, 4, 1000}) {
    EXPECT_EQ(uses.WriterOf(id), -1) << id;
    EXPECT_THAT(uses.ReadersOf(id), IsEmpty()) << id;
  }
}

}  // namespace
}  // namespace tern::gpu
