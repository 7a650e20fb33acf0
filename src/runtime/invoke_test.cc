// SPDX-License-Identifier: Apache-2.0
//
// Runs: cancellation, profilers, threads, several graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/core/c/operator.h"

namespace tern {
namespace {

using testing::AddOp;
using ::testing::ElementsAre;
using testing::FakeCalls;
using testing::Graph;

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
  EXPECT_TRUE(graph.reporter.Has("The function is forbidden if not calling in delegate."));
}

TEST(Run, AcquiredContextsAreOpenUntilTheyAreReleased) {
  Graph graph;
  graph.Chain(2);
  TfLiteContext* context = graph.subgraph().context();
  TfLiteIntArray* plan = nullptr;
  for (const bool by_context : {true, false}) {
    TfLiteContext* acquired = nullptr;
    const auto acquire = [&](int index) {
      return by_context ? context->AcquireSubgraphContext(context, index, &acquired)
                        : tflite::Subgraph::AcquireSubgraphContext(context, index, &acquired);
    };
    EXPECT_EQ(acquire(1), kTfLiteError);
    ASSERT_EQ(acquire(0), kTfLiteOk);
    EXPECT_EQ(acquired, context);
    EXPECT_EQ(acquired->GetExecutionPlan(acquired, &plan), kTfLiteOk);
    EXPECT_EQ(plan->size, 2);
    EXPECT_EQ(by_context ? context->ReleaseSubgraphContext(context, 0)
                         : tflite::Subgraph::ReleaseSubgraphContext(context, 0),
              kTfLiteOk);
    EXPECT_EQ(context->GetExecutionPlan(context, &plan), kTfLiteError);
  }
}

TEST(Run, AnOperatorWithoutFunctionsLeavesThemToTheRegistration) {
  TfLiteOperator* nothing = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "add", 1, nullptr);
  {
    Graph graph;
    TfLiteRegistration op = testing::AddOp();
    op.registration_external = nothing;
    graph.Tensor();
    graph.Tensor();
    ASSERT_EQ(graph.Node({0, 0}, {1}, op), 0);
    graph.interpreter.SetInputs({0});
    graph.interpreter.SetOutputs({1});
    ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
    graph.Fill(0, 3);
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
    EXPECT_EQ(graph.Values(1)[0], 6);
  }
  TfLiteOperatorDelete(nothing);
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
  static int refreshed = 0;
  refreshed = 0;
  TfLiteExternalContext external = {};  // the interpreter reads it until its own end
  Graph graph;
  graph.Chain(1);
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
