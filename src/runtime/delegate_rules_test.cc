// SPDX-License-Identifier: Apache-2.0
//
// Finer rules of delegation: order of subgraphs, frozen graphs, operations that only a delegate
// has, several replacements in one Prepare, tensors that a delegate adds, default delegates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/testing/fake_delegate.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/delegates/interpreter_utils.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tflite {

// A friend of Interpreter.
class InterpreterTest {
 public:
  static void SetDefaultDelegates(Interpreter* interpreter,
                                  Interpreter::TfLiteDelegateCreators creators) {
    interpreter->lazy_delegate_providers_ = std::move(creators);
  }
};

}  // namespace tflite

namespace tern {
namespace {

using testing::AddOp;
using ::testing::ElementsAre;
using testing::FakeDelegate;
using testing::Graph;
using ::testing::HasSubstr;
using testing::MixedChain;
using testing::RunWith;

// A delegate whose Prepare is a function of the test.
struct ProbeDelegate {
  explicit ProbeDelegate(std::function<TfLiteStatus(TfLiteContext*, TfLiteDelegate*)> prepare)
      : prepare(std::move(prepare)) {
    delegate.data_ = this;
    delegate.Prepare = [](TfLiteContext* context, TfLiteDelegate* self) {
      return static_cast<ProbeDelegate*>(self->data_)->prepare(context, self);
    };
  }
  std::function<TfLiteStatus(TfLiteContext*, TfLiteDelegate*)> prepare;
  TfLiteDelegate delegate = TfLiteDelegateCreate();
};

// A kernel that sums its inputs.
TfLiteRegistration SumKernel() {
  TfLiteRegistration kernel = AddOp("SumKernel");
  kernel.builtin_code = kTfLiteBuiltinDelegate;
  kernel.init = nullptr;
  kernel.free = nullptr;
  return kernel;
}

TfLiteStatus Replace(TfLiteContext* context, TfLiteDelegate* delegate,
                     const std::vector<int>& nodes) {
  TfLiteIntArray* array = TfLiteIntArrayCreate(static_cast<int>(nodes.size()));
  for (size_t i = 0; i < nodes.size(); ++i) array->data[i] = nodes[i];
  const TfLiteStatus status =
      context->ReplaceNodeSubsetsWithDelegateKernels(context, SumKernel(), array, delegate);
  TfLiteIntArrayFree(array);
  return status;
}

// ---- Subgraphs.

TEST(DelegateRules, SubgraphsInOrderUntilOneFails) {
  std::vector<int> visited;
  ProbeDelegate probe([&](TfLiteContext* context, TfLiteDelegate*) {
    visited.push_back(static_cast<tflite::Subgraph*>(context->impl_)->GetSubgraphIndex());
    return visited.size() == 2 ? kTfLiteError : kTfLiteOk;
  });
  Graph graph;
  graph.Chain(1);
  graph.interpreter.AddSubgraphs(2);
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(&probe.delegate), kTfLiteDelegateError);
  EXPECT_THAT(visited, ElementsAre(0, 1));
  EXPECT_FALSE(graph.interpreter.HasDelegates());
  EXPECT_EQ(RunWith(&graph, 1, 1), std::vector<float>(4, 2.0f));
  visited.clear();
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(&probe.delegate, {2}), kTfLiteOk);
  EXPECT_THAT(visited, ElementsAre(2));
}

// ---- Frozen graphs.

TEST(DelegateRules, FrozenGraphTakesNoTensorParameters) {
  FakeDelegate delegate;
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  const float values[4] = {};
  EXPECT_EQ(graph.interpreter.SetTensorParametersReadOnly(
                0, kTfLiteFloat32, "", {4}, TfLiteQuantizationParams{},
                reinterpret_cast<const char*>(values), sizeof(values)),
            kTfLiteError);
  EXPECT_TRUE(
      graph.reporter.Has("SetTensorParametersReadOnly is disallowed when graph is immutable."));
  EXPECT_EQ(graph.interpreter.SetTensorParametersReadWrite(0, kTfLiteFloat32, "", {4},
                                                           TfLiteQuantizationParams{}),
            kTfLiteError);
  EXPECT_EQ(RunWith(&graph, 1, 1), std::vector<float>(4, 2.0f));
}

TEST(DelegateRules, DynamicDelegateLeavesAFrozenGraphFrozen) {
  FakeDelegate fixed("other");
  FakeDelegate dynamic("add");
  dynamic.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  Graph graph;
  MixedChain(&graph);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(fixed.get()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(dynamic.Ready()), kTfLiteOk);
  EXPECT_TRUE(graph.interpreter.IsFullyDelegated());
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 16.0f));  // allocated already
  EXPECT_EQ(graph.Node({0}, {1}), -1);
}

// ---- Operations that only a delegate has.

TEST(DelegateRules, StubRegistrationCountsAsResolved) {
  TfLiteRegistration stub = {};
  stub.builtin_code = kTfLiteBuiltinCustom;
  stub.custom_name = "GpuOnly";
  stub.invoke = [](TfLiteContext*, TfLiteNode*) { return kTfLiteError; };
  Graph graph;
  graph.Tensor();
  graph.Tensor();
  graph.Node({0, 0}, {1}, stub);
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({1});
  FakeDelegate delegate("GpuOnly");
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(RunWith(&graph, 2, 1), std::vector<float>(4, 4.0f));
  ASSERT_EQ(graph.interpreter.RemoveAllDelegates(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
}

// ---- Replacing nodes.

TEST(DelegateRules, ReplacesSeveralTimesInOnePrepare) {
  ProbeDelegate probe([](TfLiteContext* context, TfLiteDelegate* self) {
    TF_LITE_ENSURE_STATUS(Replace(context, self, {0}));
    TfLiteIntArray* plan = nullptr;
    TF_LITE_ENSURE_STATUS(context->GetExecutionPlan(context, &plan));
    EXPECT_THAT(std::vector<int>(plan->data, plan->data + plan->size), ElementsAre(3, 1, 2));
    return Replace(context, self, {2});
  });
  Graph graph;
  graph.Chain(3);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(&probe.delegate), kTfLiteOk);
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(3, 1, 4));
  // Each kernel adds up its inputs, of which there is one.
  EXPECT_EQ(RunWith(&graph, 1, 3), std::vector<float>(4, 2.0f));
}

TEST(DelegateRules, ReplacingIsLoggedAtVerbose) {
  using tflite::LoggerOptions;
  const auto before = LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_VERBOSE);
  ::testing::internal::CaptureStderr();
  FakeDelegate delegate;
  Graph graph;
  MixedChain(&graph);
  graph.subgraph().SetName("main");
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  LoggerOptions::SetMinimumLogSeverity(before);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("VERBOSE: Replacing 3 out of 4 node(s) with delegate (FakeKernel) node, "
                        "yielding 3 partitions for subgraph 0 (main)."));
}

TEST(DelegateRules, BadNodeListIsRefused) {
  ProbeDelegate probe([](TfLiteContext* context, TfLiteDelegate* self) {
    EXPECT_EQ(Replace(context, self, {7}), kTfLiteError);
    EXPECT_EQ(Replace(context, self, {-1}), kTfLiteError);
    TfLiteDelegate stranger = TfLiteDelegateCreate();
    EXPECT_EQ(Replace(context, &stranger, {0}), kTfLiteDelegateError);
    EXPECT_EQ(context->ReplaceNodeSubsetsWithDelegateKernels(context, SumKernel(), nullptr, self),
              kTfLiteDelegateError);
    return kTfLiteOk;
  });
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(&probe.delegate), kTfLiteOk);
  EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(0));
  EXPECT_EQ(RunWith(&graph, 1, 1), std::vector<float>(4, 2.0f));
}

// ---- Tensors that a delegate adds stay when it is undone; a second application adds its own.
TEST(DelegateRules, AddedTensorsAreKept) {
  ProbeDelegate probe([](TfLiteContext* context, TfLiteDelegate* self) {
    TF_LITE_ENSURE_STATUS(context->AddTensors(context, 1, nullptr));
    return Replace(context, self, {0});
  });
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(&probe.delegate), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.tensors_size(), 3u);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {2}), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.tensors_size(), 3u);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.tensors_size(), 4u);
  EXPECT_EQ(RunWith(&graph, 1, 1), std::vector<float>(2, 1.0f));
}

// ---- Buffers.

TEST(DelegateRules, OwnStaleTensorsAreNotCopied) {
  FakeDelegate delegate;
  delegate.leave_output_in_buffer = true;
  delegate.get()->CopyToBufferHandle = [](TfLiteContext*, TfLiteDelegate*, TfLiteBufferHandle,
                                          TfLiteTensor*) {
    ADD_FAILURE() << "the runtime never writes into buffers";
    return kTfLiteError;
  };
  Graph graph;
  graph.Chain(2);
  tflite::InterpreterOptions options;
  options.SetDisableDelegateNodeFusion(true);  // two kernels in a row
  graph.interpreter.ApplyOptions(&options);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.execution_plan().size(), 2u);
  graph.interpreter.SetAllowBufferHandleOutput(true);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_TRUE(graph.interpreter.tensor(1)->data_is_stale);
  EXPECT_EQ(delegate.copies, 0);
}

TEST(DelegateRules, KernelsEndBeforeTheirHandles) {
  static std::vector<std::string> order;
  order.clear();
  ProbeDelegate probe([](TfLiteContext* context, TfLiteDelegate* self) {
    TfLiteRegistration kernel = SumKernel();
    kernel.init = [](TfLiteContext*, const char*, size_t) -> void* { return &order; };
    kernel.free = [](TfLiteContext*, void*) { order.push_back("kernel"); };
    TfLiteIntArray* nodes = TfLiteIntArrayCreate(1);
    nodes->data[0] = 0;
    const TfLiteStatus status =
        context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes, self);
    TfLiteIntArrayFree(nodes);
    return status;
  });
  probe.delegate.FreeBufferHandle = [](TfLiteContext*, TfLiteDelegate*, TfLiteBufferHandle*) {
    order.push_back("handle");
  };
  {
    Graph graph;
    graph.Chain(1);
    ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(&probe.delegate), kTfLiteOk);
    ASSERT_EQ(graph.interpreter.SetBufferHandle(1, 4, &probe.delegate), kTfLiteOk);
  }
  EXPECT_THAT(order, ElementsAre("kernel", "handle"));
}

// ---- Default delegates.

using Owner = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;

Owner NotOwned(TfLiteDelegate* delegate) {
  return Owner(delegate, [](TfLiteDelegate*) {});
}

TEST(DefaultDelegate, ComesAfterThoseOfTheApplication) {
  FakeDelegate user("other");
  FakeDelegate lazy("add");
  Graph graph;
  MixedChain(&graph);
  tflite::InterpreterTest::SetDefaultDelegates(
      &graph.interpreter, {[&](TfLiteContext*) { return NotOwned(lazy.get()); }});
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(user.get()), kTfLiteOk);
  EXPECT_EQ(lazy.prepare_calls, 0);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_TRUE(graph.interpreter.IsFullyDelegated());
  EXPECT_EQ(RunWith(&graph, 1, 4), std::vector<float>(4, 16.0f));
}

TEST(DefaultDelegate, AnErrorFailsTheAllocationOthersDoNot) {
  // The delegate cannot even look at a graph that fails to prepare.
  FakeDelegate lazy;
  Graph broken;
  broken.Tensor();
  broken.Tensor();
  broken.Node({0}, {1}, testing::FailingPrepareOp());
  broken.interpreter.SetInputs({0});
  tflite::InterpreterTest::SetDefaultDelegates(
      &broken.interpreter, {[&](TfLiteContext*) { return NotOwned(lazy.get()); }});
  EXPECT_EQ(broken.interpreter.AllocateTensors(), kTfLiteError);
  EXPECT_TRUE(
      broken.reporter.Has("Failed to apply the default TensorFlow Lite delegate indexed at 0."));

  // A dynamic graph is none for a static delegate; one that makes nothing is passed over.
  Graph dynamic;
  for (int i = 0; i < 3; ++i) dynamic.Tensor();
  dynamic.Node({0}, {1}, testing::DynamicOp());
  dynamic.Node({1, 1}, {2});
  dynamic.interpreter.SetInputs({0});
  dynamic.interpreter.SetOutputs({2});
  tflite::InterpreterTest::SetDefaultDelegates(
      &dynamic.interpreter, {[](TfLiteContext*) { return NotOwned(nullptr); },
                             [&](TfLiteContext*) { return NotOwned(lazy.get()); }});
  ASSERT_EQ(dynamic.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_FALSE(dynamic.interpreter.HasDelegates());
  EXPECT_EQ(RunWith(&dynamic, 2, 2), (std::vector<float>{0, 2}));
}

// ---- A run that fails on the delegate, repeated on the CPU.

TEST(CpuFallback, KeepsTheInputs) {
  FakeDelegate delegate;
  delegate.fail_kernel_invoke = true;
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  graph.Fill(0, 3);
  using tflite::delegates::InterpreterUtils;
  EXPECT_EQ(InterpreterUtils::InvokeWithCPUFallback(&graph.interpreter), kTfLiteDelegateError);
  EXPECT_TRUE(
      graph.reporter.Has("Invoke() failed in the presence of delegation. Retrying without."));
  EXPECT_EQ(graph.Values(2), std::vector<float>(4, 12.0f));
  EXPECT_FALSE(graph.interpreter.HasDelegates());
  EXPECT_EQ(InterpreterUtils::InvokeWithCPUFallback(&graph.interpreter), kTfLiteOk);
}

// An input in memory of the application that has become too small is never read.
TEST(CpuFallback, InputThatOutgrewItsMemory) {
  alignas(64) float memory[16] = {1, 2, 3, 4};
  FakeDelegate delegate;
  delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.Ready()), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(0, {memory, 64}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {1 << 30, 1 << 20}), kTfLiteOk);
  using tflite::delegates::InterpreterUtils;
  EXPECT_EQ(InterpreterUtils::InvokeWithCPUFallback(&graph.interpreter), kTfLiteError);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {4}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(1), ElementsAre(2, 4, 6, 8));
}

}  // namespace
}  // namespace tern
