// SPDX-License-Identifier: Apache-2.0
// Which steps stand around nodes that move elements as they are.
#include <gtest/gtest.h>

#include <utility>

#include "gpu/legalize/legalize.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

constexpr QuantizedType kOne = {kTfLiteInt8, 0.5F, 10}, kOther = {kTfLiteInt8, 0.25F, -3};
constexpr QuantizedType kPlaces = {kTfLiteInt16, 1, 0};

class AlignElementsTest : public testing::Test {
 protected:
  // Returns the nodes after the pass; the graph keeps its own nodes.
  std::vector<Node> Align() {
    Graph& graph = b_.graph();
    std::vector<Node> own = graph.nodes;
    SetRules(graph, GpuLoweringTable());
    AlignElements(graph);
    return std::exchange(graph.nodes, std::move(own));
  }
  const GraphTensor& Of(TensorId id) { return b_.graph().tensors[id]; }

  GraphBuilder b_;
};

TEST_F(AlignElementsTest, AComputedOperandGetsAStep) {
  const TensorId x = b_.Quantize(b_.Input({4}), kOne);
  const TensorId y = b_.Quantize(
      b_.Op(kTfLiteBuiltinReshape, "RESHAPE", {x}, {2, 2}, TfLiteReshapeParams{}), kOther);
  const std::vector<Node> nodes = Align();
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].inputs, (std::vector<TensorId>{x}));
  EXPECT_EQ(nodes[0].outputs, nodes[1].inputs);
  EXPECT_EQ(nodes[0].internal, InternalOp::kReinterpret);
  EXPECT_EQ(Of(nodes[1].inputs[0]).quantized, kOther);
  EXPECT_EQ(nodes[1].outputs, (std::vector<TensorId>{y}));
}

TEST_F(AlignElementsTest, FurtherOutputsGetOneAndPlacesNone) {
  const TensorId x = b_.Quantize(b_.Input({4}), kOne);
  b_.Quantize(b_.Op(kTfLiteBuiltinTopkV2, "TOPK_V2", {x, b_.Ints({}, {2})}, {2}, 0), kOne);
  b_.graph().nodes[0].outputs.push_back(b_.Quantize(b_.Tensor({2}), kPlaces));
  EXPECT_EQ(Align().size(), 1U);
  b_.graph().nodes[0].op = "SPLIT";
  b_.graph().nodes[0].builtin_code = kTfLiteBuiltinSplit;
  const TensorId half = b_.Quantize(b_.graph().nodes[0].outputs[1], kOther);
  const std::vector<Node> nodes = Align();
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].outputs[1], nodes[1].inputs[0]);
  EXPECT_EQ(Of(nodes[0].outputs[1]).quantized, kOne);
  EXPECT_EQ(nodes[1].outputs, (std::vector<TensorId>{half}));
}

TEST_F(AlignElementsTest, AConstantIsReadByTheOutputsScale) {
  const TensorId x = b_.Quantize(b_.Input({2}), kOther), k = b_.Ints({}, {0x0201});
  GraphTensor& constant = b_.graph().tensors[k];
  constant.type = kTfLiteFloat32;
  constant.stored = kTfLiteInt8;
  constant.SetQuantization({{2}, {1}});
  b_.Quantize(b_.Op(kTfLiteBuiltinMaximum, "MAXIMUM", {x, k}, {2}, 0), kOther);
  const std::vector<Node> nodes = Align();
  ASSERT_EQ(nodes.size(), 1U);
  const GraphTensor& seen = Of(nodes[0].inputs[1]);
  EXPECT_EQ(seen.affine()->scales, std::vector<float>{kOther.scale});
  EXPECT_EQ(seen.affine()->zero_points, std::vector<int>{kOther.zero_point});
  EXPECT_EQ(Of(k).affine()->scales, std::vector<float>{2});
}

TEST_F(AlignElementsTest, NodesThatComputeStayAlone) {
  const TensorId x = b_.Quantize(b_.Input({4}), kOne);
  b_.Quantize(b_.Op(kTfLiteBuiltinTanh, "TANH", {x}, {4}, 0), kOther);
  EXPECT_EQ(Align().size(), 1U);
}

}  // namespace
}  // namespace tern::gpu
