// SPDX-License-Identifier: Apache-2.0
//
// Delegates: buffer handles, lifetimes, the callbacks of the context.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "runtime/testing/fake_delegate.h"
#include "runtime/testing/fake_ops.h"

namespace tern {
namespace {

using testing::AddOp;
using ::testing::ElementsAre;
using testing::FakeDelegate;
using testing::Graph;
using testing::MixedChain;
using testing::RunWith;

TEST(BufferHandle, StartState) {
  Graph graph;
  graph.Chain(1);
  TfLiteBufferHandle handle = 5;
  TfLiteDelegate* owner = nullptr;
  ASSERT_EQ(graph.interpreter.GetBufferHandle(0, &handle, &owner), kTfLiteOk);
  EXPECT_EQ(handle, kTfLiteNullBufferHandle);
  EXPECT_EQ(owner, nullptr);
  EXPECT_FALSE(graph.interpreter.tensor(0)->data_is_stale);
  EXPECT_EQ(graph.interpreter.EnsureTensorDataIsReadable(0), kTfLiteOk);
}

TEST(BufferHandle, SetReplacesAndFrees) {
  FakeDelegate delegate;
  FakeDelegate stranger;
  {
    Graph graph;
    graph.Chain(1);
    ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    ASSERT_EQ(graph.interpreter.SetBufferHandle(1, 10, delegate.get()), kTfLiteOk);
    EXPECT_TRUE(delegate.freed_handles.empty());
    ASSERT_EQ(graph.interpreter.SetBufferHandle(graph.interpreter.tensor(1), 11, delegate.get()),
              kTfLiteOk);
    EXPECT_THAT(delegate.freed_handles, ElementsAre(10));
    EXPECT_EQ(graph.interpreter.SetBufferHandle(1, 12, stranger.get()), kTfLiteError);
    EXPECT_EQ(graph.interpreter.SetBufferHandle(99, 12, delegate.get()), kTfLiteError);
    TfLiteTensor foreign = {};
    EXPECT_EQ(graph.interpreter.SetBufferHandle(&foreign, 12, delegate.get()), kTfLiteError);
  }
  EXPECT_THAT(delegate.freed_handles, ElementsAre(10, 11));
}

TEST(BufferHandle, OutputsAreMadeReadableUnlessAllowed) {
  FakeDelegate delegate;
  delegate.leave_output_in_buffer = true;
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(RunWith(&graph, 1, 2), std::vector<float>(4, 4.0f));
  EXPECT_EQ(delegate.copies, 1);
  graph.interpreter.SetAllowBufferHandleOutput(true);
  EXPECT_EQ(RunWith(&graph, 2, 2), std::vector<float>(4, 0.0f));
  EXPECT_TRUE(graph.interpreter.tensor(2)->data_is_stale);
  EXPECT_EQ(delegate.copies, 1);
  ASSERT_EQ(graph.interpreter.EnsureTensorDataIsReadable(2), kTfLiteOk);
  EXPECT_EQ(graph.Values(2), std::vector<float>(4, 8.0f));
  EXPECT_FALSE(graph.interpreter.tensor(2)->data_is_stale);
}

TEST(BufferHandle, StaleInputsAreCopiedForOtherNodes) {
  FakeDelegate delegate("add");
  delegate.leave_output_in_buffer = true;
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0, 0}, {1});
  graph.Node({1, 1}, {2}, AddOp("other"));
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({2});
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(RunWith(&graph, 1, 2), std::vector<float>(4, 4.0f));
  EXPECT_EQ(delegate.copies, 1);
}

TEST(BufferHandle, FailedCopyClearsTheFlagAndIsReturned) {
  FakeDelegate delegate;
  delegate.leave_output_in_buffer = true;
  delegate.copy_status = kTfLiteDelegateDataReadError;
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteDelegateDataReadError);
  EXPECT_FALSE(graph.interpreter.tensor(1)->data_is_stale);
  // Stale without a handle.
  graph.interpreter.tensor(0)->data_is_stale = true;
  EXPECT_EQ(graph.interpreter.EnsureTensorDataIsReadable(0), kTfLiteError);
}

// ---- Lifetimes.

TEST(DelegateLifetime, DeletedBeforeTheInterpreter) {
  FakeDelegate::FreedCount() = 0;
  {
    auto delegate = std::make_unique<FakeDelegate>();
    Graph graph;
    MixedChain(&graph);
    ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate->get()), kTfLiteOk);
    EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 16.0f));
    delegate.reset();  // its memory is rubbish and given back
    // Looking at the interpreter and ending it follows no pointer to the delegate.
    EXPECT_TRUE(graph.interpreter.HasDelegates());
    EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
    EXPECT_EQ(graph.interpreter.EnsureTensorDataIsReadable(4), kTfLiteOk);
    EXPECT_EQ(graph.Values(4), std::vector<float>(4, 16.0f));
  }
  EXPECT_EQ(FakeDelegate::FreedCount(), 2);
}

TEST(DelegateLifetime, OwnedDelegateEndsAfterTheGraphs) {
  static std::vector<std::string> order;
  order.clear();
  {
    Graph graph;
    graph.Chain(1);
    TfLiteRegistration op = AddOp("logs_free");
    op.free = [](TfLiteContext*, void* data) {
      order.push_back("node");
      delete static_cast<int*>(data);
    };
    graph.Node({0}, {graph.Tensor()}, op);
    auto* fake = new FakeDelegate();
    using Owner = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;
    Owner owner(fake->get(), [](TfLiteDelegate* d) {
      order.push_back("delegate");
      delete static_cast<FakeDelegate*>(d->data_);
    });
    ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(std::move(owner)), kTfLiteOk);
  }
  EXPECT_THAT(order, ElementsAre("node", "delegate"));
}

// ---- The callbacks of a delegate.

TfLiteStatus CheckCallbacks(TfLiteContext* context, TfLiteDelegate* delegate) {
  TfLiteDelegateParams* parts = nullptr;
  int count = 7;
  TfLiteIntArray* none = TfLiteIntArrayCreate(0);
  EXPECT_EQ(context->PreviewDelegatePartitioning(context, none, &parts, &count), kTfLiteOk);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(parts, nullptr);
  EXPECT_EQ(context->PreviewDelegatePartitioning(context, none, nullptr, &count), kTfLiteError);
  EXPECT_EQ(context->ReplaceNodeSubsetsWithDelegateKernels(context, {}, none, delegate), kTfLiteOk);
  TfLiteIntArrayFree(none);
  TfLiteNode* node = nullptr;
  TfLiteRegistration* registration = nullptr;
  EXPECT_EQ(context->GetNodeAndRegistration(context, -1, &node, &registration), kTfLiteError);
  EXPECT_EQ(context->GetNodeAndRegistration(context, 99, &node, &registration), kTfLiteError);
  TfLiteContext* other = nullptr;
  EXPECT_EQ(context->AcquireSubgraphContext(context, 1, &other), kTfLiteOk);
  TfLiteIntArray* plan = nullptr;
  EXPECT_EQ(other->GetExecutionPlan(other, &plan), kTfLiteOk);
  EXPECT_EQ(plan->size, 0);
  EXPECT_EQ(context->ReleaseSubgraphContext(context, 1), kTfLiteOk);
  EXPECT_EQ(other->GetExecutionPlan(other, &plan), kTfLiteError);
  EXPECT_EQ(context->AcquireSubgraphContext(context, 5, &other), kTfLiteError);
  auto* subgraph = static_cast<tflite::Subgraph*>(context->impl_);
  EXPECT_EQ(subgraph->MarkSubgraphAsDelegationSkippable(0), kTfLiteError);
  EXPECT_EQ(subgraph->MarkSubgraphAsDelegationSkippable(1), kTfLiteOk);
  return kTfLiteOk;
}

TEST(DelegateContext, Callbacks) {
  Graph graph;
  graph.Chain(1);
  graph.interpreter.AddSubgraphs(1);
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.Prepare = CheckCallbacks;
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(&delegate), kTfLiteOk);
  EXPECT_TRUE(graph.interpreter.subgraph(1)->IsDelegationSkippable());
  // Undoing clears the mark.
  ASSERT_EQ(graph.interpreter.RemoveAllDelegates(), kTfLiteOk);
  EXPECT_FALSE(graph.interpreter.subgraph(1)->IsDelegationSkippable());
}

TEST(DelegateContext, PerOperatorProfilingHidesTheKernel) {
  struct Counter : tflite::Profiler {
    uint32_t BeginEvent(const char*, EventType type, int64_t, int64_t) override {
      if (type == EventType::OPERATOR_INVOKE_EVENT) ++nodes;
      return 0;
    }
    void EndEvent(uint32_t) override {}
    int nodes = 0;
  };
  for (bool force : {false, true}) {
    FakeDelegate delegate;
    delegate.flags = kTfLiteDelegateFlagsPerOperatorProfiling;
    Graph graph;
    MixedChain(&graph);
    tflite::InterpreterOptions options;
    options.SetForceDelegateNodeProfiling(force);
    graph.interpreter.ApplyOptions(&options);
    Counter counter;
    graph.interpreter.SetProfiler(&counter);
    ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.Ready()), kTfLiteOk);
    RunWith(&graph, 1, 4);
    EXPECT_EQ(counter.nodes, force ? 3 : 1);
  }
}

}  // namespace
}  // namespace tern
