// SPDX-License-Identifier: Apache-2.0
// Which nodes compute which halves of INT64 tensors.
#include <gtest/gtest.h>

#include "base/status.h"
#include "gpu/fuse/fuse.h"
#include "gpu/legalize/legalize.h"
#include "gpu/lower/lower_graph.h"
#include "gpu/plan/tuning_table.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

class SplitInt64Test : public testing::Test {
 protected:
  TensorId Long(TensorId id) {
    graph().tensors[id].type = kTfLiteInt64;
    return id;
  }
  TensorId Reshape(TensorId in) {
    return Long(b_.Op(kTfLiteBuiltinReshape, "RESHAPE", {in}, {2, 3}, TfLiteReshapeParams{}));
  }
  TensorId ArgMax(TensorId in, std::vector<int> out) {
    const TensorId axis = b_.Ints({1}, {1});
    return Long(
        b_.Op(kTfLiteBuiltinArgMax, "ARG_MAX", {in, axis}, std::move(out), TfLiteArgMaxParams{}));
  }
  void Split() { SplitInt64(graph(), GpuLoweringTable()); }
  PassContext Context() const { return {device_, tuning_, GpuLoweringTable()}; }
  Graph& graph() { return b_.graph(); }
  TensorId High(TensorId low) { return graph().tensors[low].high; }

  GraphBuilder b_;
  DeviceInfo device_;
  Tuning tuning_ = TuningFor(device_, 4);
};

TEST_F(SplitInt64Test, AMoverMovesEitherHalf) {
  const TensorId in = Long(b_.Input({3, 2})), out = Reshape(in);
  b_.Output(out);
  Split();
  ASSERT_EQ(graph().nodes.size(), 2);
  for (const int half : {0, 1}) {
    const Node& node = graph().nodes[static_cast<size_t>(half)];
    EXPECT_EQ(Label(node), "RESHAPE #0");
    EXPECT_EQ(node.int64_half, half);
    EXPECT_EQ(graph().Int64HalfOf(node, 0, node.int64_half), half == 0 ? in : High(in));
    EXPECT_EQ(node.outputs[0], half == 0 ? out : High(out));
  }
}

TEST_F(SplitInt64Test, NumbersOf32BitsGetTheirSigns) {
  const TensorId out = ArgMax(b_.Input({2, 3}), {2});
  b_.Output(out);
  Split();
  ASSERT_EQ(graph().nodes.size(), 2);
  EXPECT_EQ(graph().nodes[0].outputs[0], out);
  const Node& signs = graph().nodes[1];
  EXPECT_EQ(Label(signs), "CAST #0");
  EXPECT_EQ(signs.int64_half, 1);
  EXPECT_EQ(signs.inputs, std::vector<TensorId>{out});
  EXPECT_EQ(signs.outputs, std::vector<TensorId>{High(out)});
}

TEST_F(SplitInt64Test, EitherHalfIsOfTheGraphsEdge) {
  const TensorId in = Long(b_.Input({3, 2})), out = Reshape(in);
  b_.Output(out);
  Split();
  EXPECT_TRUE(graph().IsInput(High(in)));
  EXPECT_TRUE(graph().IsOutput(High(out)));
  EXPECT_FALSE(graph().IsOutput(High(in)));
  EXPECT_EQ(graph().Consumers(High(in)), (std::vector<int>{0, 1}));
  LowerNotes notes;
  const auto made = LowerGraph(graph(), GpuLoweringTable(), device_, tuning_, {}, &notes);
  ASSERT_TRUE(made.ok()) << made.status();
  const PlanTensor& low = made->tensors[made->outputs[0]];
  EXPECT_EQ(low.io_conversion, IoConversion::kInt64Halves);
  EXPECT_EQ(low.io_bytes, 48);
  EXPECT_EQ(low.bytes, 24);
  EXPECT_EQ(made->tensors[low.high].role, Role::kOutput);
}

TEST_F(SplitInt64Test, HalvesOfAViewLieInThoseOfItsInput) {
  const TensorId in = Long(b_.Input({3, 2})), view = Reshape(in);
  b_.Output(Reshape(view));
  Split();
  ASSERT_TRUE(AliasReshapes(graph(), Context()).ok());
  EXPECT_EQ(graph().Root(view), in);
  EXPECT_EQ(graph().Root(High(view)), High(in));
  EXPECT_EQ(graph().views, std::vector<std::string>{"RESHAPE #0"});
}

// Indices are read in their low halves, and what was moved on the way to them as well.
TEST_F(SplitInt64Test, UnreadHighHalvesAreRemoved) {
  const TensorId row = Reshape(ArgMax(b_.Input({6, 3}), {6}));
  b_.Output(b_.Op(kTfLiteBuiltinGather, "GATHER", {b_.Input({5, 8}), row}, {2, 3, 8},
                  TfLiteGatherParams{}));
  Split();
  std::vector<std::string> labels;
  for (const Node& node : graph().nodes) labels.push_back(Label(node));
  EXPECT_EQ(labels, (std::vector<std::string>{"ARG_MAX #0", "RESHAPE #1", "GATHER #2"}));
}

TEST_F(SplitInt64Test, AddedHighHalvesStay) {
  const TensorId index = ArgMax(b_.Input({2, 3}), {2});
  b_.Output(Long(b_.Op(kTfLiteBuiltinAdd, "ADD", {index, index}, {2}, TfLiteAddParams{})));
  Split();
  std::vector<std::string> labels;
  for (const Node& node : graph().nodes) labels.push_back(Label(node));
  EXPECT_EQ(labels, (std::vector<std::string>{"ARG_MAX #0", "CAST #0", "ADD #1", "ADD #1"}));
}

TEST_F(SplitInt64Test, AHighHalfThatNobodyMadeIsNotRead) {
  const TensorId in = Long(b_.Input({2}));
  b_.Output(Long(b_.Op(kTfLiteBuiltinAdd, "ADD", {in, in}, {2}, TfLiteAddParams{})));
  LowerNotes notes;
  const auto made = LowerGraph(graph(), GpuLoweringTable(), device_, tuning_, {}, &notes);
  EXPECT_NE(Message(made.status()).find("has no high half"), std::string::npos) << made.status();
}

}  // namespace
}  // namespace tern::gpu
