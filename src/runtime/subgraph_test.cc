// SPDX-License-Identifier: Apache-2.0
//
// Tensors, shapes, memory and runs of hand-made graphs.
#include "tensorflow/lite/core/subgraph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "runtime/testing/fake_ops.h"

namespace tern {
namespace {

using testing::AddOp;
using ::testing::ElementsAre;
using testing::FakeCalls;
using testing::Graph;

TEST(Subgraph, RunsAChain) {
  Graph graph;
  graph.Chain(3);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(3), ElementsAre(8, 8, 8, 8));
  // The input is still there: no tensor was put over it.
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(3), ElementsAre(8, 8, 8, 8));
}

TEST(Subgraph, InvokeBeforeAllocateIsRefused) {
  Graph graph;
  graph.Chain(1);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Invoke called on model that is not ready."));
}

TEST(Subgraph, GraphWithoutNodes) {
  Graph graph;
  const int t = graph.Tensor({2, 3});
  graph.interpreter.SetInputs({t});
  graph.interpreter.SetOutputs({t, t});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(t, 5);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.typed_output_tensor<float>(1)[5], 5);
}

TEST(Subgraph, EmptyInterpreter) {
  Graph graph;
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
}

TEST(Subgraph, ConstantOutputAndRepeatedOutput) {
  Graph graph;
  const std::vector<float> values = {1, 2, 3, 4};
  const int c = graph.Constant(values);
  const int x = graph.Tensor();
  const int y = graph.Tensor();
  graph.Node({x, c}, {y});
  graph.interpreter.SetInputs({x});
  graph.interpreter.SetOutputs({c, y, y, x});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(x, 10);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(y), ElementsAre(11, 12, 13, 14));
  EXPECT_EQ(graph.interpreter.tensor(c)->data.raw_const,
            reinterpret_cast<const char*>(values.data()));
  EXPECT_EQ(graph.interpreter.tensor(c)->allocation_type, kTfLiteMmapRo);
}

TEST(Subgraph, MisalignedConstantIsCopied) {
  Graph graph;
  alignas(8) char bytes[32] = {};
  const float values[4] = {1, 2, 3, 4};
  std::memcpy(bytes + 1, values, sizeof(values));
  const int c = graph.Tensor();
  ASSERT_EQ(graph.interpreter.SetTensorParametersReadOnly(c, kTfLiteFloat32, "c", {4},
                                                          TfLiteQuantization{}, bytes + 1, 16),
            kTfLiteOk);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(graph.interpreter.tensor(c)->data.raw) % 4, 0u);
  EXPECT_THAT(graph.Values(c), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(graph.interpreter.tensor(c)->allocation_type, kTfLiteMmapRo);
}

TEST(Subgraph, ConstantBufferMustHoldTheShape) {
  Graph graph;
  const float values[2] = {};
  const int c = graph.Tensor();
  const char* bytes = reinterpret_cast<const char*>(values);
  EXPECT_EQ(graph.interpreter.SetTensorParametersReadOnly(c, kTfLiteFloat32, "c", {3},
                                                          TfLiteQuantization{}, bytes, 8),
            kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has(
      "required_bytes <= bytes was not true: tensor 0 requires 12 bytes, but is allocated with 8 "
      "bytes buffer."))
      << graph.reporter.text;
  EXPECT_EQ(graph.interpreter.SetTensorParametersReadOnly(c, kTfLiteFloat32, "c", {-2},
                                                          TfLiteQuantization{}, bytes, 8),
            kTfLiteError);
}

TEST(Subgraph, ZeroSizeTensors) {
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {0, 3}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.tensor(2)->bytes, 0u);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
}

TEST(Subgraph, BadIndicesNeverCrash) {
  Graph graph;
  graph.Chain(1);
  tflite::Interpreter& i = graph.interpreter;
  for (int bad : {-2, -1, 2, 1 << 30, std::numeric_limits<int>::min()}) {
    EXPECT_EQ(i.tensor(bad), nullptr);
    EXPECT_EQ(i.node_and_registration(bad), nullptr);
    EXPECT_EQ(i.typed_tensor<float>(bad), nullptr);
    EXPECT_EQ(i.typed_input_tensor<float>(bad), nullptr);
    EXPECT_EQ(i.typed_output_tensor<float>(bad), nullptr);
    EXPECT_EQ(i.GetInputName(bad), nullptr);
    EXPECT_EQ(i.GetOutputName(bad), nullptr);
    EXPECT_EQ(i.subgraph(bad), nullptr);
    EXPECT_EQ(i.ResizeInputTensor(bad, {1}), kTfLiteError);
    EXPECT_EQ(i.ResizeInputTensorStrict(bad, {1}), kTfLiteError);
    EXPECT_EQ(i.EnsureTensorDataIsReadable(bad), kTfLiteError);
    EXPECT_EQ(i.SetTensorParametersReadWrite(bad, kTfLiteFloat32, "", {1}, TfLiteQuantization{}),
              kTfLiteError);
    TfLiteCustomAllocation memory = {&graph, 64};
    EXPECT_EQ(i.SetCustomAllocationForTensor(bad, memory), kTfLiteError);
  }
  EXPECT_EQ(i.AddTensors(-1), kTfLiteError);
  EXPECT_EQ(i.AddTensors(std::numeric_limits<int>::max()), kTfLiteError);
  EXPECT_EQ(i.SetExecutionPlan({0, 0}), kTfLiteError);
  EXPECT_EQ(i.SetExecutionPlan({1}), kTfLiteError);
  EXPECT_EQ(graph.Node({77}, {0}), -1);
  EXPECT_TRUE(graph.reporter.Has("Invalid tensor index 77 in node inputs"));
  // A refused node makes the graph inconsistent for good.
  EXPECT_EQ(i.AllocateTensors(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("AllocateTensors() called on inconsistent model."));
}

TEST(Subgraph, NodeThatReadsItsOwnOutputIsRefused) {
  Graph graph;
  graph.Tensor();
  EXPECT_EQ(graph.Node({0}, {0}), -1);
  EXPECT_TRUE(graph.reporter.Has("Tensor 0 is both input 0 and output 0"));
}

TEST(Subgraph, WrongElementTypeGivesNull) {
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_NE(graph.interpreter.typed_input_tensor<float>(0), nullptr);
  EXPECT_EQ(graph.interpreter.typed_input_tensor<int>(0), nullptr);
  EXPECT_EQ(graph.interpreter.typed_tensor<uint8_t>(0), nullptr);
}

TEST(Subgraph, FailuresOfNodesAreReported) {
  Graph graph;
  graph.Tensor();
  graph.Tensor();
  graph.interpreter.SetInputs({0});
  graph.Node({0}, {1}, testing::FailingPrepareOp());
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Node number 0 (bad_prepare) failed to prepare."));

  Graph second;
  second.Tensor();
  second.Tensor();
  second.interpreter.SetInputs({0});
  second.Node({0}, {1}, testing::FailingInvokeOp());
  ASSERT_EQ(second.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(second.interpreter.Invoke(), kTfLiteError);
  EXPECT_TRUE(second.reporter.Has("Node number 0 (bad_invoke) failed to invoke."));
}

TEST(Subgraph, TensorThatNothingFillsLacksData) {
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0, 1}, {2});
  graph.interpreter.SetInputs({0});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Input tensor 1 lacks data"));
}

TEST(Subgraph, FailedInitRefusesTheNode) {
  Graph graph;
  graph.Tensor();
  graph.Tensor();
  TfLiteRegistration op = AddOp();
  op.init = [](TfLiteContext*, const char*, size_t) { return TfLiteKernelInitFailed(); };
  EXPECT_EQ(graph.Node({0}, {1}, op), -1);
  EXPECT_EQ(graph.interpreter.nodes_size(), 0u);
  EXPECT_TRUE(graph.reporter.Has("Failed to initialize kernel."));
}

// A new plan may follow an allocation, without another one.
TEST(Subgraph, ExecutionPlanCanBeChangedBetweenRuns) {
  static std::vector<int> order;
  TfLiteRegistration op = AddOp("logs");
  op.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    order.push_back(node->outputs->data[0]);
    return testing::SumInputs(context, node);
  };
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0}, {1}, op);
  graph.Node({0}, {2}, op);
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({1, 2});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  for (const std::vector<int>& plan : {std::vector<int>{1, 0}, {1}, {}}) {
    order.clear();
    ASSERT_EQ(graph.interpreter.SetExecutionPlan(plan), kTfLiteOk);
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    ASSERT_EQ(order.size(), plan.size());
    for (size_t i = 0; i < plan.size(); ++i) EXPECT_EQ(order[i], plan[i] + 1);
  }
}

TEST(Subgraph, KernelsAreFreed) {
  FakeCalls() = {};
  {
    Graph graph;
    graph.Chain(4);
  }
  EXPECT_EQ(FakeCalls().init, 4);
  EXPECT_EQ(FakeCalls().free, 4);
}

// ---- Resizing.

TEST(Resize, SameShapeKeepsTheState) {
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  FakeCalls() = {};
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {4}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(FakeCalls().prepare, 0);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
}

TEST(Resize, OtherShapeNeedsAllocation) {
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {2, 5}), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.tensor(2)->bytes, 40u);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(graph.Values(2), std::vector<float>(10, 4.0f));
}

TEST(Resize, ConstantsAndBadShapesAreRefused) {
  Graph graph;
  const std::vector<float> values = {1};
  const int c = graph.Constant(values);
  graph.Tensor();
  EXPECT_EQ(graph.interpreter.ResizeInputTensor(c, {2}), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Attempting to resize a fixed-size tensor."));
  EXPECT_EQ(graph.interpreter.ResizeInputTensor(1, {2, -3}), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("A FLOAT32 tensor cannot have shape [2,-3]."));
  const int text = graph.Tensor({1}, kTfLiteString);
  EXPECT_EQ(graph.interpreter.ResizeInputTensor(text, {-1}), kTfLiteError);
  EXPECT_EQ(graph.interpreter.ResizeInputTensor(1, {1 << 30, 1 << 30, 1 << 30}), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has(
      "cannot have shape [1073741824,1073741824,1073741824]: 4.952e+27 bytes (limit "));
}

TEST(Resize, StrictAllowsOnlyOpenDimensions) {
  Graph graph;
  int t = 0;
  graph.interpreter.AddTensors(1, &t);
  const std::vector<int> signature = {-1, 3};
  ASSERT_EQ(graph.interpreter.SetTensorParametersReadWrite(
                t, kTfLiteFloat32, "x", {1, 3}, TfLiteQuantizationParams{}, false, &signature),
            kTfLiteOk);
  graph.interpreter.SetInputs({t});
  EXPECT_EQ(graph.interpreter.ResizeInputTensorStrict(t, {7, 3}), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.ResizeInputTensorStrict(t, {7, 4}), kTfLiteError);
  EXPECT_TRUE(
      graph.reporter.Has("Attempting to resize dimension 1 of tensor 0 with value 3 to 4."));
  EXPECT_EQ(graph.interpreter.ResizeInputTensorStrict(t, {7, 3, 1}), kTfLiteError);
}

}  // namespace
TEST(Subgraph, ATensorMayBeWrittenAgainInTheSameShape) {
  Graph graph;
  const int x = graph.Tensor();
  const int y = graph.Tensor();
  const int first = graph.Tensor();
  const int second = graph.Tensor();
  graph.Node({x, x}, {y});
  graph.Node({y, x}, {first});
  graph.Node({y, first}, {x});  // a graph input
  graph.Node({x, x}, {y});
  graph.Node({y, first}, {second});
  graph.interpreter.SetInputs({x});
  graph.interpreter.SetOutputs({first, second, x});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(x, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(first), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(graph.Values(x), ElementsAre(5, 5, 5, 5));
  EXPECT_THAT(graph.Values(second), ElementsAre(13, 13, 13, 13));
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(x, {2}), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
}

TEST(Subgraph, ASecondWriteInAnotherShapeIsRefused) {
  Graph graph;
  const int x = graph.Tensor({2});
  const int big = graph.Tensor({4});
  const int y = graph.Tensor({4});
  const int z = graph.Tensor({4});
  graph.Node({big, big}, {y});
  graph.Node({y, y}, {z});
  graph.Node({x, x}, {y});
  graph.interpreter.SetInputs({x, big});
  graph.interpreter.SetOutputs({y, z});
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("writes tensor 2, which is in use before it, with another type"));
}

// The reader has prepared for the shape that the tensor had.
TEST(Subgraph, AWriteAfterAReadKeepsTheShape) {
  for (const int size : {4, 2}) {
    Graph graph;
    const int x = graph.Tensor({2});
    const int late = graph.Tensor({size});
    const int y = graph.Tensor({size});
    graph.Node({late, late}, {y});
    graph.Node({x, x}, {late});
    graph.interpreter.SetInputs({x});
    graph.interpreter.SetOutputs({y, late});
    EXPECT_EQ(graph.interpreter.AllocateTensors(), size == 2 ? kTfLiteOk : kTfLiteError);
  }
}

TEST(Subgraph, ANodeWritesEachTensorOnce) {
  Graph graph;
  const int x = graph.Tensor();
  const int y = graph.Tensor();
  graph.Node({x, x}, {y, y});
  graph.interpreter.SetInputs({x});
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Tensor 1 is output 0 and another output, too"));
}

}  // namespace tern
