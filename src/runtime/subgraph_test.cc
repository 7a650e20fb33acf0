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
  EXPECT_EQ(graph.interpreter.ResizeInputTensor(1, {-3}), kTfLiteError);
  EXPECT_EQ(graph.interpreter.ResizeInputTensor(1, {1 << 30, 1 << 30, 1 << 30}), kTfLiteError);
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

// ---- Shapes that are known late.

TEST(Dynamic, RestIsPreparedDuringTheRun) {
  Graph graph;
  for (int i = 0; i < 4; ++i) graph.Tensor();
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({1, 1}, {2});
  graph.Node({2, 2}, {3});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({3});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_TRUE(graph.subgraph().HasDynamicTensors());
  for (int count : {3, 3, 700, 0, 2}) {
    graph.Fill(0, static_cast<float>(count));
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    const std::vector<float> values = graph.Values(3);
    ASSERT_EQ(static_cast<int>(values.size()), count);
    for (int i = 0; i < count; ++i) EXPECT_EQ(values[i], 4.0f * i);
  }
}

TEST(Dynamic, SameShapeAgainPreparesNothing) {
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({1, 1}, {2});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({2});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 5);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  FakeCalls() = {};
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(FakeCalls().prepare, 0);
  graph.Fill(0, 6);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(FakeCalls().prepare, 1);
}

TEST(Dynamic, OpenShapeStopsPrepareToo) {
  Graph graph;
  graph.Tensor({2, 2});
  graph.Tensor({1});
  graph.Tensor({1});
  graph.Node({0}, {1}, testing::OpenShapeOp());
  graph.Node({1, 1}, {2});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({2});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_TRUE(graph.subgraph().HasDynamicTensors());
  graph.Fill(0, 3);
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_THAT(graph.Values(2), ElementsAre(6, 6, 6, 6));
  }
}

TEST(Dynamic, LateFailureOfPrepareIsReported) {
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({1}, {2}, testing::FailingPrepareOp());
  graph.interpreter.SetInputs({0});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 2);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Node number 1 (bad_prepare) failed to prepare."));
}

TEST(Dynamic, ReleasedAfterLastUseWhenAsked) {
  Graph graph;
  for (int i = 0; i < 4; ++i) graph.Tensor();
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({1, 1}, {2});
  graph.Node({2, 2}, {3});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({3});
  tflite::InterpreterOptions options;
  options.SetEnsureDynamicTensorsAreReleased();
  ASSERT_EQ(graph.interpreter.ApplyOptions(&options), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 5);
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_EQ(graph.interpreter.tensor(1)->data.raw, nullptr);
    EXPECT_THAT(graph.Values(3), ElementsAre(0, 4, 8, 12, 16));
  }
}

TEST(Dynamic, LargeTensorsLeaveTheArena) {
  Graph graph;
  graph.Chain(4);
  tflite::InterpreterOptions options;
  options.OptimizeMemoryForLargeTensors(1000);
  ASSERT_EQ(graph.interpreter.ApplyOptions(&options), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {500}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_FALSE(graph.subgraph().HasDynamicTensors());
  graph.Fill(0, 1);
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_EQ(graph.interpreter.tensor(2)->data.raw, nullptr);
    EXPECT_EQ(graph.Values(4), std::vector<float>(500, 16.0f));
  }
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {3}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(4), ElementsAre(16, 16, 16));
}

// ---- Memory.

TEST(Memory, VariablesStartAtZeroAndLast) {
  Graph graph;
  const int x = graph.Tensor();
  const int v = graph.Tensor({4}, kTfLiteFloat32, /*variable=*/true);
  const int y = graph.Tensor();
  graph.Node({x, v}, {y});
  graph.interpreter.SetInputs({x});
  graph.interpreter.SetOutputs({y});
  graph.interpreter.SetVariables({v});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_THAT(graph.Values(v), ElementsAre(0, 0, 0, 0));
  graph.Fill(x, 1);
  graph.Fill(v, 2);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(y), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(graph.Values(v), ElementsAre(2, 2, 2, 2));
  // An allocation that changes nothing keeps them, a real one clears them.
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_THAT(graph.Values(v), ElementsAre(2, 2, 2, 2));
  ASSERT_EQ(graph.interpreter.ResetVariableTensors(), kTfLiteOk);
  EXPECT_THAT(graph.Values(v), ElementsAre(0, 0, 0, 0));
}

TEST(Memory, ReleaseNonPersistentMemory) {
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ReleaseNonPersistentMemory(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.tensor(0)->data.raw, nullptr);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Non-persistent memory is not available."));
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(2), ElementsAre(4, 4, 4, 4));
}

TEST(Memory, CustomAllocation) {
  alignas(64) float in[4] = {1, 2, 3, 4};
  alignas(64) float out[4] = {};
  Graph graph;
  graph.Chain(1);
  EXPECT_EQ(graph.interpreter.SetCustomAllocationForTensor(0, {in + 1, 12}), kTfLiteError);
  EXPECT_EQ(graph.interpreter.SetCustomAllocationForTensor(0, {nullptr, 12}), kTfLiteError);
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(0, {in, 8}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(1, {out, sizeof(out)}), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Custom allocation is too small for tensor idx: 0"));
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(0, {in, sizeof(in)}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(out[3], 8);
  // Skipping the alignment check.
  alignas(64) float odd[5] = {0, 5, 5, 5, 5};
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(
                0, {odd + 1, 16}, kTfLiteCustomAllocationFlagsSkipAlignCheck),
            kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(out[0], 10);
}

TEST(Memory, PreserveAllTensors) {
  Graph graph;
  graph.Chain(6);
  tflite::InterpreterOptions options;
  options.SetPreserveAllTensors();
  ASSERT_EQ(graph.interpreter.ApplyOptions(&options), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  for (int i = 0; i <= 6; ++i) EXPECT_EQ(graph.Values(i)[0], 1 << i);
}

TEST(Memory, OwnAllocator) {
  static int live = 0;
  live = 0;
  TfLiteAllocator allocator = {};
  allocator.allocate = [](void*, size_t bytes, size_t alignment) -> void* {
    ++live;
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  };
  allocator.deallocate = [](void*, void* block, size_t, size_t) {
    --live;
    std::free(block);
  };
  {
    Graph graph;
    graph.Chain(2);
    ASSERT_EQ(graph.interpreter.SetAllocator(&allocator), kTfLiteOk);
    ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
    EXPECT_GT(live, 0);
    EXPECT_EQ(graph.interpreter.SetAllocator(nullptr), kTfLiteError);
    EXPECT_TRUE(graph.reporter.Has("SetAllocator must be called before AllocateTensors()."));
  }
  EXPECT_EQ(live, 0);
}

TEST(Memory, AddingAFewTensorsMovesNone) {
  Graph graph;
  graph.Chain(1);
  TfLiteRegistration op = AddOp("adds_tensors");
  op.prepare = [](TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* before = context->tensors;
    if (context->AddTensors(context, tflite::Subgraph::kTensorsCapacityHeadroom, nullptr) !=
        kTfLiteOk) {
      return kTfLiteError;
    }
    if (context->tensors != before) return kTfLiteError;
    return testing::ShapeLikeFirstInput(context, node);
  };
  for (int i = 0; i < 30; ++i) graph.Node({0}, {graph.Tensor()}, op);
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
}

// ---- Running.

TEST(Run, CancellationFunction) {
  Graph graph;
  graph.Chain(3);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  int polls = 0;
  graph.interpreter.SetCancellationFunction(
      &polls, [](void* data) { return ++*static_cast<int*>(data) == 2; });
  FakeCalls() = {};
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_EQ(FakeCalls().invoke, 1);
  EXPECT_TRUE(graph.reporter.Has("Client requested cancel during Invoke()"));
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
}

TEST(Run, CancelNeedsToBeEnabledAndIsRearmed) {
  Graph graph;
  graph.Tensor();
  graph.Tensor();
  graph.Tensor();
  static tflite::Interpreter* current = nullptr;
  TfLiteRegistration canceller = AddOp("canceller");
  canceller.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    if (current != nullptr) current->Cancel();
    return testing::SumInputs(context, node);
  };
  graph.Node({0}, {1}, canceller);
  graph.Node({1}, {2});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({2});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Cancel(), kTfLiteError);
  ASSERT_EQ(graph.interpreter.EnableCancellation(), kTfLiteOk);
  current = &graph.interpreter;
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteCancelled);
  current = nullptr;
  EXPECT_EQ(graph.interpreter.Cancel(), kTfLiteOk);  // before the run: no effect
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
}

TEST(Run, DenormalsAreFlushed) {
  Graph graph;
  graph.Chain(1);
  TfLiteRegistration op = AddOp("denormal");
  op.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    volatile float tiny = std::numeric_limits<float>::min();
    context->tensors[node->outputs->data[0]].data.f[0] = tiny / 4;
    return kTfLiteOk;
  };
  graph.Node({0}, {graph.Tensor()}, op);
  graph.interpreter.SetOutputs({2});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
#if defined(__SSE__) || defined(__aarch64__)
  EXPECT_EQ(graph.Values(2)[0], 0.0f);
  volatile float tiny = std::numeric_limits<float>::min();
  EXPECT_GT(tiny / 4, 0.0f);  // and restored afterwards
#endif
}

TEST(Run, ForbiddenOutsideOfDelegates) {
  Graph graph;
  TfLiteContext* context = graph.subgraph().context();
  TfLiteIntArray* plan = nullptr;
  EXPECT_EQ(context->GetExecutionPlan(context, &plan), kTfLiteError);
  TfLiteContext* other = nullptr;
  EXPECT_EQ(context->AcquireSubgraphContext(context, 0, &other), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("The function is forbidden if not calling in delegate."));
}

class RecordingProfiler : public tflite::Profiler {
 public:
  uint32_t BeginEvent(const char* tag, EventType type, int64_t md1, int64_t md2) override {
    events.push_back(std::string(tag) + "/" + std::to_string(static_cast<int>(type)) + "/" +
                     std::to_string(md1) + "/" + std::to_string(md2));
    return static_cast<uint32_t>(events.size());
  }
  void EndEvent(uint32_t handle) override { ended.push_back(handle); }
  std::vector<std::string> events;
  std::vector<uint32_t> ended;
};

TEST(Run, ProfilersSeeEveryNode) {
  Graph graph;
  graph.Chain(2);
  RecordingProfiler first;
  RecordingProfiler second;
  graph.interpreter.SetProfiler(&first);
  graph.interpreter.AddProfiler(&second);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(first.events, ElementsAre("AllocateTensors/1/0/0", "invoke/16/-1/0", "Invoke/1/0/0",
                                        "add/2/0/0", "add/2/1/0"));
  EXPECT_EQ(first.ended.size(), first.events.size());
  EXPECT_EQ(second.events, first.events);
  EXPECT_EQ(second.ended.size(), second.events.size());
  graph.interpreter.SetProfiler(static_cast<tflite::Profiler*>(nullptr));
  EXPECT_EQ(graph.interpreter.GetProfiler(), nullptr);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(first.events.size(), 5u);
}

TEST(Run, ThreadsReachContextsAndExternalContexts) {
  Graph graph;
  graph.Chain(1);
  static int refreshed = 0;
  refreshed = 0;
  TfLiteExternalContext external = {};
  external.type = kTfLiteCpuBackendContext;
  external.Refresh = [](TfLiteContext* context) {
    refreshed = context->recommended_num_threads;
    return kTfLiteOk;
  };
  graph.interpreter.SetExternalContext(kTfLiteCpuBackendContext, &external);
  TfLiteContext* context = graph.subgraph().context();
  EXPECT_EQ(context->recommended_num_threads, -1);
  EXPECT_EQ(context->GetExternalContext(context, kTfLiteCpuBackendContext), &external);
  EXPECT_EQ(context->GetExternalContext(context, kTfLiteMaxExternalContexts), nullptr);
  ASSERT_EQ(graph.interpreter.SetNumThreads(3), kTfLiteOk);
  EXPECT_EQ(context->recommended_num_threads, 3);
  EXPECT_EQ(refreshed, 3);
  ASSERT_EQ(graph.interpreter.SetNumThreads(0), kTfLiteOk);
  EXPECT_EQ(context->recommended_num_threads, 1);
  EXPECT_EQ(graph.interpreter.SetNumThreads(-2), kTfLiteError);
}

TEST(Run, OtherSubgraphsRunToo) {
  Graph graph;
  graph.interpreter.AddSubgraphs(1);
  tflite::Subgraph& body = *graph.interpreter.subgraph(1);
  ASSERT_EQ(body.AddTensors(2), kTfLiteOk);
  for (int i = 0; i < 2; ++i) {
    body.SetTensorParametersReadWrite(i, kTfLiteFloat32, "t", {2}, TfLiteQuantization{});
  }
  const TfLiteRegistration op = AddOp();
  ASSERT_EQ(body.AddNodeWithParameters({0, 0}, {1}, {}, nullptr, 0, nullptr, &op), kTfLiteOk);
  body.SetInputs({0});
  body.SetOutputs({1});
  ASSERT_EQ(body.AllocateTensors(), kTfLiteOk);
  body.tensor(0)->data.f[0] = body.tensor(0)->data.f[1] = 4;
  ASSERT_EQ(body.Invoke(), kTfLiteOk);
  EXPECT_EQ(body.tensor(1)->data.f[1], 8);
  EXPECT_EQ(body.GetSubgraphIndex(), 1);
  EXPECT_FALSE(body.IsPrimarySubgraph());
}

TEST(Run, GraphThatRunsItselfIsStopped) {
  Graph graph;
  graph.Chain(1);
  static tflite::Subgraph* self = nullptr;
  self = &graph.subgraph();
  TfLiteRegistration op = AddOp("recursive");
  op.invoke = [](TfLiteContext*, TfLiteNode*) { return self->Invoke(); };
  graph.Node({0}, {graph.Tensor()}, op);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("invokes itself"));
}

TEST(Inspect, UnusedInputsAndCounts) {
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0, 0}, {2});
  graph.interpreter.SetInputs({0, 1});
  graph.interpreter.SetOutputs({2});
  EXPECT_THAT(graph.subgraph().GetInputTensorsCount(), ElementsAre(2, 0, 1));
  ASSERT_EQ(graph.subgraph().RemoveUnusedInputs(), kTfLiteOk);
  EXPECT_THAT(graph.interpreter.inputs(), ElementsAre(0, -1));
  EXPECT_EQ(graph.interpreter.input_tensor(1), nullptr);
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
}

TEST(Inspect, Metadata) {
  Graph graph;
  ASSERT_EQ(graph.interpreter.SetMetadata({{"name", "payload"}}), kTfLiteOk);
  TfLiteContext* context = graph.subgraph().context();
  const char* data = nullptr;
  size_t bytes = 0;
  ASSERT_EQ(context->GetModelMetadata(context, "name", &data, &bytes), kTfLiteOk);
  EXPECT_EQ(std::string(data, bytes), "payload");
  EXPECT_EQ(context->GetModelMetadata(context, "other", &data, &bytes), kTfLiteError);
}

}  // namespace
}  // namespace tern
