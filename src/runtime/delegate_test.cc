// SPDX-License-Identifier: Apache-2.0
//
// The delegation contract, with fake delegates: applying, statuses, partitioning, resize, buffer
// handles, lifetimes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "runtime/testing/fake_delegate.h"
#include "runtime/testing/fake_ops.h"

namespace tern {
namespace {

using testing::AddOp;
using ::testing::ElementsAre;
using testing::FakeCalls;
using testing::FakeDelegate;
using testing::Graph;
using testing::MixedChain;
using testing::RunWith;

// ---- Applying.

TEST(Delegate, TwoKernelsAroundACpuNode) {
  FakeDelegate delegate;
  Graph graph;
  MixedChain(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  // The plan is kernel, CPU node, kernel; the original nodes stay where they were.
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(4, 1, 5));
  EXPECT_EQ(graph.interpreter.nodes_size(), 6u);
  const auto& [node, registration] = *graph.interpreter.node_and_registration(5);
  EXPECT_EQ(registration.builtin_code, kTfLiteBuiltinDelegate);
  EXPECT_EQ(node.delegate, delegate.get());
  EXPECT_EQ(graph.interpreter.tensor(4)->delegate, delegate.get());
  EXPECT_EQ(graph.interpreter.tensor(3)->delegate, nullptr);
  ASSERT_EQ(delegate.previewed.size(), 2u);
  EXPECT_THAT(delegate.previewed[1], ElementsAre(2, 3));
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 16.0f));
}

TEST(Delegate, AllocatesSoThatInvokeMayFollow) {
  FakeDelegate delegate;
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_TRUE(graph.interpreter.IsFullyDelegated());
  ASSERT_NE(graph.interpreter.typed_input_tensor<float>(0), nullptr);
  // Read directly after the run, without any further call.
  EXPECT_EQ(RunWith(&graph, 2, 2), std::vector<float>(4, 8.0f));
  FakeCalls() = {};
  const int prepares = delegate.kernel_prepares;
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(delegate.kernel_prepares, prepares);
}

TEST(Delegate, NoNodeTakenStillAllocatesAndFreezesTheGraph) {
  FakeDelegate delegate("nothing");
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(RunWith(&graph, 2, 1), std::vector<float>(4, 4.0f));
  EXPECT_EQ(graph.Node({0}, {1}), -1);
  EXPECT_TRUE(graph.reporter.Has("AddNodeWithParameters is disallowed when graph is immutable."));
  EXPECT_EQ(graph.interpreter.SetTensorParametersReadWrite(0, kTfLiteFloat32, "", {1},
                                                           TfLiteQuantization{}),
            kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("disallowed when graph is immutable."));
}

TEST(Delegate, NullIsADelegateError) {
  Graph graph;
  graph.Chain(1);
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(static_cast<TfLiteDelegate*>(nullptr)),
            kTfLiteDelegateError);
  EXPECT_TRUE(graph.reporter.Has("Null delegate."));
}

TEST(Delegate, StaticDelegateOnDynamicGraph) {
  FakeDelegate delegate;
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({1, 1}, {2});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({2});
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteApplicationError);
  EXPECT_EQ(delegate.prepare_calls, 0);
  EXPECT_EQ(RunWith(&graph, 2, 2), (std::vector<float>{0, 2}));
}

TEST(Delegate, FailingCpuPrepareStopsAStaticDelegate) {
  FakeDelegate delegate;
  Graph graph;
  graph.Tensor();
  graph.Tensor();
  graph.Node({0}, {1}, testing::FailingPrepareOp());
  graph.interpreter.SetInputs({0});
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteError);
  EXPECT_EQ(delegate.prepare_calls, 0);
}

// One node of an operation that nothing resolves.
void AddUnresolved(Graph* graph, const char* name) {
  graph->Tensor();
  graph->Tensor();
  graph->Node({0}, {1}, tflite::CreateUnresolvedCustomOp(name));
  graph->interpreter.SetInputs({0});
  graph->interpreter.SetOutputs({1});
}

TEST(Delegate, UnresolvedOperation) {
  FakeDelegate delegate("Missing");
  Graph graph;
  AddUnresolved(&graph, "Missing");
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteUnresolvedOps);
  EXPECT_TRUE(graph.reporter.Has("Encountered unresolved custom op: Missing."));
  EXPECT_TRUE(graph.reporter.Has("Node number 0 (Missing) failed to prepare."));
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(0));
  // One that takes dynamic shapes does not let the CPU prepare first, so it resolves the operation.
  FakeDelegate dynamic("Missing");
  dynamic.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(dynamic.Ready()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(RunWith(&graph, 3, 1), std::vector<float>(4, 3.0f));
}

TEST(Delegate, AnOperationForAnotherDeviceSaysSo) {
  Graph graph;
  AddUnresolved(&graph, "edgetpu-custom-op");
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteUnresolvedOps);
  EXPECT_TRUE(graph.reporter.Has("Coral"));
}

// ---- Failures restore the graph.

void ExpectRestored(Graph* graph, const char* what) {
  EXPECT_THAT(graph->interpreter.execution_plan(), ElementsAre(0, 1, 2, 3)) << what;
  EXPECT_EQ(graph->interpreter.nodes_size(), 4u) << what;
  EXPECT_FALSE(graph->interpreter.HasDelegates()) << what;
  EXPECT_TRUE(
      graph->reporter.Has("Restored original execution plan after delegate application failure."))
      << what;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(graph->interpreter.tensor(i)->delegate, nullptr) << what;
  EXPECT_EQ(RunWith(graph, 1, 4), std::vector<float>(4, 16.0f)) << what;
}

TEST(DelegateFailure, OfPrepare) {
  for (TfLiteStatus status : {kTfLiteError, kTfLiteDelegateError, kTfLiteApplicationError}) {
    FakeDelegate delegate;
    delegate.prepare_status = status;
    Graph graph;
    MixedChain(&graph);
    EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteDelegateError);
    ExpectRestored(&graph, "prepare");
  }
}

TEST(DelegateFailure, OfKernelInit) {
  FakeDelegate delegate;
  delegate.fail_init = true;
  Graph graph;
  MixedChain(&graph);
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteDelegateError);
  EXPECT_TRUE(graph.reporter.Has("Failed to initialize kernel."));
  ExpectRestored(&graph, "kernel init");
}

TEST(DelegateFailure, OfKernelPrepare) {
  FakeDelegate delegate;
  delegate.fail_kernel_prepare = true;
  Graph graph;
  MixedChain(&graph);
  FakeDelegate::FreedCount() = 0;
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteDelegateError);
  EXPECT_EQ(FakeDelegate::FreedCount(), 2);
  EXPECT_TRUE(graph.reporter.Has("(FakeKernel) failed to prepare."));
  ExpectRestored(&graph, "kernel prepare");
}

TEST(DelegateFailure, OfASecondDelegateRemovesTheFirst) {
  FakeDelegate first("add");
  FakeDelegate second("other");
  second.prepare_status = kTfLiteError;
  Graph graph;
  MixedChain(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(first.get()), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(second.get()), kTfLiteDelegateError);
  ExpectRestored(&graph, "second delegate");
}

TEST(DelegateFailure, InALaterSubgraphRemovesAll) {
  FakeDelegate delegate;
  Graph graph;
  graph.Chain(2);
  graph.interpreter.AddSubgraphs(1);
  tflite::Subgraph& body = *graph.interpreter.subgraph(1);
  body.AddTensors(2);
  for (int i = 0; i < 2; ++i) {
    body.SetTensorParametersReadWrite(i, kTfLiteFloat32, "t", {2}, TfLiteQuantization{});
  }
  TfLiteRegistration op = AddOp();
  body.AddNodeWithParameters({0}, {1}, {}, nullptr, 0, nullptr, &op);
  // The kernel's output already belongs to somebody else, so replacing fails there.
  FakeDelegate stranger;
  body.SetBufferHandle(1, 3, stranger.get());
  body.SetInputs({0});
  body.SetOutputs({1});
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteDelegateError);
  EXPECT_FALSE(graph.interpreter.HasDelegates());
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(0, 1));
  EXPECT_EQ(RunWith(&graph, 1, 2), std::vector<float>(4, 4.0f));
}

TEST(DelegateFailure, OfInvoke) {
  FakeDelegate delegate;
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  delegate.fail_kernel_invoke = true;
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Node number 1 (FakeKernel) failed to invoke."));
}

TEST(DelegateFailure, HintOfFullDelegation) {
  FakeDelegate delegate;
  delegate.flags = kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate;
  Graph graph;
  MixedChain(&graph);
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.Ready()), kTfLiteApplicationError);
  EXPECT_TRUE(graph.reporter.Has("Hint fully delegated to single delegate is set"));
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 16.0f));

  Graph whole;
  whole.Chain(3);
  ASSERT_EQ(whole.interpreter.ModifyGraphWithDelegate(delegate.Ready()), kTfLiteOk);
  EXPECT_EQ(RunWith(&whole, 1, 3), std::vector<float>(4, 8.0f));
}

TEST(Delegate, ActiveSubgraphs) {
  FakeDelegate delegate;
  Graph graph;
  graph.Chain(1);
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get(), {}), kTfLiteApplicationError);
  EXPECT_TRUE(graph.reporter.Has("Active subgraph indices must not be empty."));
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get(), {0, 1}),
            kTfLiteApplicationError);
  EXPECT_TRUE(graph.reporter.Has("Active subgraph index 1 is out of range."));
  EXPECT_EQ(delegate.prepare_calls, 0);
  graph.interpreter.AddSubgraphs(2);
  graph.interpreter.subgraph(1)->SetName("VALIDATION:main");
  graph.interpreter.subgraph(2)->MarkAsDelegationSkippable();
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(delegate.prepare_calls, 1);
}

// ---- Dynamic delegates.

TEST(DynamicDelegate, LeavesAllocationToTheApplication) {
  FakeDelegate delegate;
  delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.Ready()), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(RunWith(&graph, 1, 2), std::vector<float>(4, 4.0f));
}

TEST(DynamicDelegate, PlansAgainWhenTheGraphWasReady) {
  FakeDelegate delegate;
  delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  delegate.dynamic_outputs = true;
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.Ready()), kTfLiteOk);
  EXPECT_EQ(RunWith(&graph, 1, 2), std::vector<float>(4, 4.0f));
  EXPECT_EQ(graph.interpreter.tensor(2)->allocation_type, kTfLiteDynamic);
}

TEST(DynamicDelegate, ResizeKeepsTheKernels) {
  FakeDelegate delegate;
  delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.Ready()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  const int made = delegate.kernels_made;
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {7}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(delegate.kernels_made, made);
  EXPECT_EQ(RunWith(&graph, 1, 2), std::vector<float>(7, 4.0f));
}

TEST(DynamicDelegate, PropagatedShapesPrepareTheOriginalNodes) {
  FakeDelegate delegate;
  delegate.flags =
      kTfLiteDelegateFlagsAllowDynamicTensors | kTfLiteDelegateFlagsRequirePropagatedShapes;
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.Ready()), kTfLiteOk);
  FakeCalls() = {};
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {5}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(FakeCalls().prepare, 2);
  EXPECT_EQ(graph.interpreter.tensor(1)->bytes, 20u);
}

TEST(DynamicDelegate, CannotMakeAFrozenGraphDynamic) {
  FakeDelegate fixed("other");
  FakeDelegate dynamic("add");
  dynamic.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  dynamic.dynamic_outputs = true;
  Graph graph;
  MixedChain(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(fixed.get()), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(dynamic.Ready()), kTfLiteApplicationError);
  EXPECT_TRUE(graph.reporter.Has("Cannot allow dynamic tensors due to previous delegation"));
  EXPECT_FALSE(graph.interpreter.HasDelegates());
  // The fake made tensors dynamic; that is a property of the tensors and stays.
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(0, 1, 2, 3));
}

// ---- Resize, undo, redo, remove.

TEST(DelegateResize, SameShapeKeepsKernelsAnotherShapeMakesNewOnes) {
  FakeDelegate delegate;
  Graph graph;
  MixedChain(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {4}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(delegate.kernels_made, 2);
  FakeDelegate::FreedCount() = 0;
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {6}), kTfLiteOk);
  EXPECT_EQ(FakeDelegate::FreedCount(), 2);
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(0, 1, 2, 3));
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(delegate.kernels_made, 4);
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(4, 1, 5));
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(6, 16.0f));
}

TEST(DelegateResize, ImpossibleShapeChangesNothing) {
  FakeDelegate delegate;
  Graph graph;
  MixedChain(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.ResizeInputTensor(0, {-1}), kTfLiteError);
  EXPECT_EQ(graph.interpreter.ResizeInputTensor(0, {1 << 30, 1 << 30, 1 << 30}), kTfLiteError);
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(4, 1, 5));
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 16.0f));
}

TEST(DelegateResize, SeveralDelegatesReturnInOrder) {
  FakeDelegate first("add");
  FakeDelegate second("other");
  Graph graph;
  MixedChain(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(first.get()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(second.get()), kTfLiteOk);
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(4, 6, 5));
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {2}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(4, 6, 5));
  EXPECT_EQ(first.prepare_calls, 2);
  EXPECT_EQ(second.prepare_calls, 2);
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(2, 16.0f));
}

TEST(DelegateResize, FailureOfRedoIsReturned) {
  FakeDelegate delegate;
  Graph graph;
  MixedChain(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {6}), kTfLiteOk);
  delegate.fail_kernel_prepare = true;
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteDelegateError);
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(6, 16.0f));
}

TEST(DelegateRemove, BackToTheCpu) {
  FakeDelegate delegate;
  Graph graph;
  MixedChain(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.RemoveAllDelegates(), kTfLiteOk);
  EXPECT_FALSE(graph.interpreter.HasDelegates());
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 16.0f));
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 16.0f));
}

TEST(DelegateRemove, HalfConstantsAreTurnedBack) {
  // Node 0 is DEQUANTIZE of a half constant (tensor 1) to tensor 2, read by node 1.
  static const uint16_t half[4] = {};
  Graph graph;
  for (int i = 0; i < 4; ++i) graph.Tensor();
  graph.interpreter.SetTensorParametersReadOnly(
      1, kTfLiteFloat16, "half", {4}, TfLiteQuantization{}, reinterpret_cast<const char*>(half), 8);
  TfLiteRegistration dequantize = AddOp();
  dequantize.builtin_code = kTfLiteBuiltinDequantize;
  dequantize.custom_name = nullptr;
  dequantize.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    for (int i = 0; i < 4; ++i) context->tensors[node->outputs->data[0]].data.f[i] = 7;
    return kTfLiteOk;
  };
  graph.Node({1}, {2}, dequantize);
  graph.Node({0, 2}, {3});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({3});
  FakeDelegate delegate("nothing");
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  graph.interpreter.node_and_registration(1)->first.inputs->data[1] = 1;
  ASSERT_EQ(graph.interpreter.RemoveAllDelegates(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.node_and_registration(1)->first.inputs->data[1], 2);
  EXPECT_EQ(graph.interpreter.node_and_registration(0)->first.inputs->data[0], 1);
  EXPECT_EQ(RunWith(&graph, 1, 3), std::vector<float>(4, 8.0f));
}

// ---- Options.

TEST(DelegateOptions, WithoutFusionOneKernelPerNode) {
  FakeDelegate delegate;
  Graph graph;
  graph.Chain(3);
  tflite::InterpreterOptions options;
  options.SetPreserveAllTensors();
  graph.interpreter.ApplyOptions(&options);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.execution_plan().size(), 3u);
  EXPECT_EQ(RunWith(&graph, 1, 3), std::vector<float>(4, 8.0f));
  EXPECT_EQ(graph.Values(1), std::vector<float>(4, 2.0f));
}

// Node 1 is a CPU branch that only the last node needs.
void Branch(Graph* graph) {
  for (int i = 0; i < 5; ++i) graph->Tensor();
  graph->Node({0, 0}, {1});
  graph->Node({0, 0}, {2}, AddOp("other"));
  graph->Node({1, 1}, {3});
  graph->Node({3, 2}, {4}, AddOp("other"));
  graph->interpreter.SetInputs({0});
  graph->interpreter.SetOutputs({4});
}

TEST(DelegateOptions, ClusteringMergesAroundABranch) {
  FakeDelegate delegate;
  Graph graph;
  Branch(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(delegate.kernels_made, 1);
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 6.0f));
}

TEST(DelegateOptions, WithoutClusteringTheOrderStays) {
  FakeDelegate delegate;
  Graph graph;
  Branch(&graph);
  tflite::InterpreterOptions options;
  options.SetDisableDelegateClustering();
  graph.interpreter.ApplyOptions(&options);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(delegate.kernels_made, 2);
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 6.0f));
}

// Metadata may order nodes that no tensor connects; also for a second delegate, whose nodes are
// tied to a kernel of the first.
TEST(DelegateOptions, ControlEdgesFromMetadata) {
  const std::string blob = {1, 1, 2, 0, 2, 2, 4};  // version, subgraphs, edges: 0 -> 1, 1 -> 2
  FakeDelegate first("other");
  FakeDelegate second("add");
  Graph graph;
  for (int i = 0; i < 4; ++i) graph.Tensor();
  graph.Node({0, 0}, {1});
  graph.Node({0, 0}, {2}, AddOp("other"));
  graph.Node({0, 0}, {3});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({1, 2, 3});
  ASSERT_EQ(graph.interpreter.SetMetadata({{"model_control_dependencies", blob}}), kTfLiteOk)
      << graph.reporter.text;
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(first.get()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(second.get()), kTfLiteOk);
  EXPECT_EQ(second.kernels_made, 2);
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(4, 3, 5));
}

}  // namespace
}  // namespace tern
