// SPDX-License-Identifier: Apache-2.0
// Where quantized tensors are rounded, and where elements come in and go out.
#include <gtest/gtest.h>

#include "gpu/compile.h"
#include "gpu/legalize/legalize.h"
#include "gpu/plan/tuning_table.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

constexpr QuantizedType kBytes = {kTfLiteUInt8, 0.5F, 10};
constexpr QuantizedType kSigned = {kTfLiteInt8, 0.5F, 10};
constexpr QuantizedType kWide = {kTfLiteInt16, 0.001F, 0};

class QuantizeValuesTest : public testing::Test {
 protected:
  TensorId Input(const QuantizedType& how) { return b_.Quantize(b_.Input({1, 2, 3, 5}), how); }
  TensorId Tanh(TensorId in, const QuantizedType& how) {
    return b_.Quantize(b_.Op(kTfLiteBuiltinTanh, "TANH", {in}, {1, 2, 3, 5}, 0), how);
  }
  TensorId Reshape(TensorId in, const QuantizedType& how) {
    return b_.Quantize(
        b_.Op(kTfLiteBuiltinReshape, "RESHAPE", {in}, {1, 3, 2, 5}, TfLiteReshapeParams{}), how);
  }
  std::vector<std::string> Nodes() {
    Graph graph = b_.graph();
    SetRules(graph, GpuLoweringTable());
    QuantizeValues(graph, device_);
    for (const TensorId id : graph.inputs) EXPECT_NE(graph.tensors[id].type, kTfLiteFloat32);
    for (const TensorId id : graph.outputs) EXPECT_NE(graph.tensors[id].type, kTfLiteFloat32);
    std::vector<std::string> labels;
    for (const Node& node : graph.nodes) labels.push_back(Label(node));
    return labels;
  }
  Plan PlanFor(Precision precision) {
    const auto made = Compile(b_.graph(), device_, GpuLoweringTable(), {.precision = precision});
    EXPECT_TRUE(made.ok()) << made.status();
    return made.ok() ? made->plan : Plan();
  }

  GraphBuilder b_;
  DeviceInfo device_;
};

using Labels = std::vector<std::string>;

// Between two types there is no table of results.
TEST_F(QuantizeValuesTest, ValuesBetweenNodesAreRounded) {
  b_.Output(Tanh(Tanh(Input(kBytes), kSigned), kBytes));
  EXPECT_EQ(Nodes(), (Labels{"DEQUANTIZE #0", "TANH #0", "QUANTIZE #0", "TANH #1", "QUANTIZE #1"}));
}

TEST_F(QuantizeValuesTest, ResultsOfAllElementsAreNotRounded) {
  b_.Output(Tanh(Tanh(Input(kBytes), kBytes), kBytes));
  EXPECT_EQ(Nodes(), (Labels{"DEQUANTIZE #0", "TANH #0", "TANH #1", "QUANTIZE #1"}));
}

// The operation itself clamps to elements.
TEST_F(QuantizeValuesTest, LargestElementsAreNotRounded) {
  const auto nodes = [&](TfLiteFusedActivation activation) {
    b_ = GraphBuilder();
    TfLitePoolParams pool{};
    pool.padding = kTfLitePaddingSame;
    pool.stride_width = pool.stride_height = pool.filter_width = pool.filter_height = 1;
    pool.activation = activation;
    const TensorId x = Input(kBytes);
    const TensorId y = b_.Op(kTfLiteBuiltinMaxPool2d, "MAX_POOL_2D", {x}, {1, 2, 3, 5}, pool);
    b_.Output(Tanh(b_.Quantize(y, kBytes), kSigned));
    return Nodes();
  };
  const Labels kept = {"DEQUANTIZE #0", "MAX_POOL_2D #0", "TANH #1", "QUANTIZE #1"};
  EXPECT_EQ(nodes(kTfLiteActNone), kept);
  EXPECT_EQ(nodes(kTfLiteActRelu), kept);
  EXPECT_EQ(nodes(kTfLiteActReluN1To1), kept);
  EXPECT_EQ(nodes(kTfLiteActRelu6), kept);
}

TEST_F(QuantizeValuesTest, WhatIsReadInsideAndOutsideIsRoundedOnceAndPacked) {
  const TensorId middle = Tanh(Input(kBytes), kSigned);
  b_.Output(middle);
  b_.Output(Tanh(middle, kBytes));
  EXPECT_EQ(Nodes(), (Labels{"DEQUANTIZE #0", "TANH #0", "QUANTIZE #0", "TANH #1", "QUANTIZE #0",
                             "QUANTIZE #1"}));
}

TEST_F(QuantizeValuesTest, ReshapedNumbersAreNotRoundedAgain) {
  const TensorId reshaped = Reshape(Tanh(Input(kBytes), kSigned), kSigned);
  b_.Output(b_.Quantize(
      b_.Op(kTfLiteBuiltinTanh, "TANH", {reshaped}, b_.graph().tensors[reshaped].dims, 0), kBytes));
  EXPECT_EQ(Nodes(), (Labels{"DEQUANTIZE #0", "TANH #0", "QUANTIZE #0", "RESHAPE #1", "TANH #2",
                             "QUANTIZE #2"}));
}

TEST_F(QuantizeValuesTest, ElementsLieInIntsAtTheEdges) {
  b_.Output(Tanh(Input(kBytes), kWide));
  const Plan plan = PlanFor(Precision::kF32);
  const PlanTensor &in = plan.tensors[plan.inputs[0]], &out = plan.tensors[plan.outputs[0]];
  EXPECT_EQ(in.io_bytes, 30);
  EXPECT_EQ(in.bytes, 32);
  EXPECT_EQ(out.io_bytes, 60);
  EXPECT_EQ(out.bytes, 60);
  EXPECT_EQ(plan.dispatches.size(), 2U);  // TANH is a step of DEQUANTIZE
}

TEST_F(QuantizeValuesTest, QuantizedNumbersAreNotStoredAsHalves) {
  const TensorId in = b_.Input({1, 2, 3, 5});
  b_.Output(b_.Op(kTfLiteBuiltinTanh, "TANH", {in}, {1, 2, 3, 5}, 0));
  EXPECT_EQ(PlanFor(Precision::kF16).storage.activations, Precision::kF16);
  b_.Output(Tanh(in, kBytes));
  EXPECT_EQ(PlanFor(Precision::kF16).storage.activations, Precision::kF32);
}

}  // namespace
}  // namespace tern::gpu
