// SPDX-License-Identifier: Apache-2.0
// Graphs that run graphs: the nodes inside of branches and loops run on the GPU as those of the
// first graph do.
#include <algorithm>
#include <cstdint>

#include "base/str_cat.h"
#include "cpu/instruction_set.h"
#include "cpu/packed_cache.h"
#include "delegate/testing/delegate_test.h"

namespace tern::delegate {
namespace {

const std::vector<int> kShape = {1, 4, 4, 8};

// x -> LOGISTIC -> ADD 0.5 -> y, as a graph of its own with `counted` passed on increased.
int Body(tern::testing::ModelBuilder& b, bool counted) {
  const int graph = b.AddSubgraph("body");
  if (counted) {
    const int i = b.Input({1}, tflite::TensorType_INT32);
    b.Output(b.Op(tflite::BuiltinOperator_ADD, {i, b.Const<int32_t>({1}, {1})},
                  {b.Tensor({1}, tflite::TensorType_INT32)}, tflite::AddOptionsT()));
  }
  const int x = b.Input(kShape);
  const int l = b.Op(tflite::BuiltinOperator_LOGISTIC, {x}, {b.Tensor(kShape)});
  b.Output(b.Op(tflite::BuiltinOperator_ADD, {l, b.Const<float>({1}, {0.5f})}, {b.Tensor(kShape)},
                tflite::AddOptionsT()));
  b.SelectSubgraph(0);
  return graph;
}

// A graph that says whether its first input, a counter, is `compared` to a limit; further inputs
// are of kShape.
int Condition(tern::testing::ModelBuilder& b, tflite::BuiltinOperator compared, int limit,
              int values) {
  const int graph = b.AddSubgraph("condition");
  const int i = b.Input({1}, tflite::TensorType_INT32);
  for (int v = 0; v < values; ++v) b.Input(kShape);
  b.Output(b.Op(compared, {i, b.Const<int32_t>({1}, {limit})},
                {b.Tensor({1}, tflite::TensorType_BOOL)}));
  b.SelectSubgraph(0);
  return graph;
}

// x -> RELU -> iterations of the body while a counter from 0 is `compared` to `limit` -> RELU -> y
std::vector<uint8_t> LoopModel(tflite::BuiltinOperator compared, int limit) {
  tern::testing::ModelBuilder b;
  const int x = b.Input(kShape);
  const int begin = b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(kShape)});
  tflite::WhileOptionsT options;
  options.cond_subgraph_index = Condition(b, compared, limit, 1);
  options.body_subgraph_index = Body(b, /*counted=*/true);
  const int end = b.Tensor(kShape);
  b.Op(tflite::BuiltinOperator_WHILE, {b.Const<int32_t>({1}, {0}), begin},
       {b.Tensor({1}, tflite::TensorType_INT32), end}, options);
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {end}, {b.Tensor(kShape)}));
  return b.Finish();
}

// x -> IF true, one body or another -> y
std::vector<uint8_t> BranchModel() {
  tern::testing::ModelBuilder b;
  const int x = b.Input(kShape);
  tflite::IfOptionsT options;
  options.then_subgraph_index = Body(b, /*counted=*/false);
  options.else_subgraph_index = Body(b, /*counted=*/false);
  b.Output(b.Op(tflite::BuiltinOperator_IF, {b.Const<bool>({1}, {true}), x}, {b.Tensor(kShape)},
                options));
  return b.Finish();
}

int NodesOf(const tflite::Interpreter& interpreter, int graph) {
  return static_cast<int>(interpreter.subgraph(graph)->execution_plan().size());
}

TEST(ControlFlow, BodiesRunOnTheGpu) {
  const std::vector<std::string> backends = BackendsAtHand();
  if (backends.empty()) GTEST_SKIP() << "no device here";
  // The trip count of a loop with this condition is not known before the run.
  const std::vector<uint8_t> loop = LoopModel(tflite::BuiltinOperator_LESS_EQUAL, 2);
  for (const auto& [model, body] : {std::pair(loop, 2), std::pair(BranchModel(), 1)}) {
    const Delegate delegate = PluginDelegate({{"tern_backend", backends.front()}});
    Session session(model);
    ASSERT_EQ(NodesOf(*session.operator->(), body), body == 2 ? 3 : 2);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    EXPECT_EQ(NodesOf(*session.operator->(), body), 1) << "one partition with all nodes";
    const std::vector<float> expected = CpuResult(model);
    for (int run = 0; run < 2; ++run) EXPECT_THAT(session.Run(), CloseTo(expected));
  }
}

// A graph that adds two numbers.
int Sum(tern::testing::ModelBuilder& b) {
  const int graph = b.AddSubgraph("sum");
  const int one = b.Input({}), other = b.Input({});
  b.Output(b.Op(tflite::BuiltinOperator_ADD, {one, other}, {b.Tensor({})}, tflite::AddOptionsT()));
  b.SelectSubgraph(0);
  return graph;
}

// x -> windows of two rows, which stay on the CPU, or rows added to rows 1 and 0 on the GPU -> y
std::vector<uint8_t> JoiningModel(bool windows) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({4, 6});
  if (windows) {
    tflite::StablehloReduceWindowOptionsT o;
    o.window_dimensions = {2, 1};
    o.body_subgraph_index = Sum(b);
    b.Output(b.Op(tflite::BuiltinOperator_STABLEHLO_REDUCE_WINDOW, {x, b.Const<float>({}, {0.5f})},
                  {b.Tensor({3, 6})}, o));
  } else {
    tflite::StablehloScatterOptionsT o;
    o.update_window_dims = {1};
    o.inserted_window_dims = {0};
    o.scatter_dims_to_operand_dims = {0};
    o.index_vector_dim = 1;
    o.update_computation_subgraph_index = Sum(b);
    std::vector<float> rows(12);
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
    b.Output(b.Op(tflite::BuiltinOperator_STABLEHLO_SCATTER,
                  {x, b.Const<int32_t>({2, 1}, {1, 0}), b.Const<float>({2, 6}, rows)},
                  {b.Tensor({4, 6})}, o));
  }
  return b.Finish();
}

// Kernels on the CPU know the operation of such a graph after a delegate has taken it; a kernel on
// the GPU leaves nothing of the graph to be run.
TEST(ControlFlow, GraphsThatJoinNumbersStayKnown) {
  const std::vector<std::string> backends = BackendsAtHand();
  if (backends.empty()) GTEST_SKIP() << "no device here";
  for (const bool windows : {true, false}) {
    SCOPED_TRACE(windows ? "windows" : "rows");
    const std::vector<uint8_t> model = JoiningModel(windows);
    const Delegate delegate = PluginDelegate({{"tern_backend", backends.front()}});
    Session session(model);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    EXPECT_EQ(session->subgraph(0)->IsFullyDelegated(), !windows);
    EXPECT_EQ(session->subgraph(1)->IsFullyDelegated(), windows);
    for (const std::vector<int>& shape : {std::vector<int>{4, 6}, {5, 6}, {3, 6}}) {
      SCOPED_TRACE(shape[0]);
      ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], shape), kTfLiteOk);
      ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
      EXPECT_THAT(session.Run(), CloseTo(CpuResult(model, shape))) << session.errors.text;
      EXPECT_EQ(session->subgraph(0)->IsFullyDelegated(), !windows);
    }
  }
}

TEST(ControlFlow, OtherShapesReachTheGraphsThatAreCalled) {
  const std::vector<std::string> backends = BackendsAtHand();
  if (backends.empty()) GTEST_SKIP() << "no device here";
  const std::vector<uint8_t> models[] = {LoopModel(tflite::BuiltinOperator_LESS, 3),
                                         LoopModel(tflite::BuiltinOperator_LESS_EQUAL, 2),
                                         BranchModel()};
  for (size_t m = 0; m < std::size(models); ++m) {
    SCOPED_TRACE(m);
    const Delegate delegate = PluginDelegate({{"tern_backend", backends.front()}});
    Session session(models[m]);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    for (const std::vector<int>& shape :
         {std::vector<int>{2, 3, 5, 8}, {1, 1, 7, 3}, {0, 4, 4, 8}, kShape, {5, 2, 2, 9}}) {
      SCOPED_TRACE(::testing::PrintToString(shape));
      ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], shape), kTfLiteOk);
      ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
      for (int run = 0; run < 2; ++run) {
        const std::vector<float> result = session.Run();
        EXPECT_THAT(result, CloseTo(CpuResult(models[m], shape))) << session.errors.text;
        EXPECT_EQ(result.empty(), shape[0] == 0);
      }
    }
  }
}

// x -> IF true, a convolution or another -> y
std::vector<uint8_t> ConvBranchModel() {
  tern::testing::ModelBuilder b;
  const int x = b.Input(kShape), y = b.Tensor(kShape);
  tflite::IfOptionsT options;
  for (int32_t* index : {&options.then_subgraph_index, &options.else_subgraph_index}) {
    *index = b.AddSubgraph("convolution");
    const int in = b.Input(kShape);
    const int filter = b.Const<float>({8, 1, 1, 8}, std::vector<float>(64, 0.25f));
    tflite::Conv2DOptionsT conv;
    conv.stride_w = conv.stride_h = 1;
    b.Output(b.Op(tflite::BuiltinOperator_CONV_2D, {in, filter, -1}, {b.Tensor(kShape)}, conv));
    b.SelectSubgraph(0);
  }
  b.Output(b.Op(tflite::BuiltinOperator_IF, {b.Const<bool>({1}, {true}), x}, {y}, options));
  return b.Finish();
}

TEST(ControlFlow, NothingIsPackedForBodiesThatTheDelegateTakes) {
  const std::vector<std::string> backends = BackendsAtHand();
  if (backends.empty()) GTEST_SKIP() << "no device here";
  const std::vector<float> expected = CpuResult(ConvBranchModel());
  const Delegate delegate = PluginDelegate({{"tern_backend", backends.front()}});
  Session session(ConvBranchModel());
  const int64_t before = PackedCount();
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(session.Run(), CloseTo(expected));
  EXPECT_EQ(PackedCount(), before);

  Session plain(ConvBranchModel());
  ASSERT_EQ(plain->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(PackedCount() > before, HasOptimizedKernels());
}

struct Applied {
  int partitions = 0, dispatches = 0, refused = 0, nodes = 0;
  std::string reason;  // of the first refusal
};

// Applies a delegate, holds two runs against the CPU's, and says what the delegate reports.
Applied Apply(const std::vector<uint8_t>& model) {
  const std::vector<float> expected = CpuResult(model);
  EXPECT_FALSE(expected.empty());
  const Delegate delegate = PluginDelegate({{"tern_backend", BackendsAtHand().front()}});
  Session session(model);
  EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  for (int run = 0; run < 2; ++run) EXPECT_THAT(session.Run(), CloseTo(expected));
  const auto report = ReportOf(delegate);
  Applied applied;
  applied.partitions = report["partitions"];
  applied.dispatches = report["dispatches"];
  applied.refused = static_cast<int>(report["refused"].size());
  applied.nodes = NodesOf(*session.operator->(), 0);
  if (applied.refused > 0) applied.reason = report["refused"][0]["reason"];
  return applied;
}

// x, y -> iterations of a body that hands its values on in exchanged places, one of them changed on
// the way if that is asked for -> both. The counter steps by 2.
std::vector<uint8_t> ExchangeModel(int rounds, bool changed, bool constant_start) {
  tern::testing::ModelBuilder b;
  const std::vector<float> start(128, 0.125f);
  const int x = b.Input(kShape), y = constant_start ? b.Const(kShape, start) : b.Input(kShape);
  tflite::WhileOptionsT options;
  options.cond_subgraph_index = Condition(b, tflite::BuiltinOperator_LESS, 2 * rounds + 3, 2);
  options.body_subgraph_index = b.AddSubgraph("body");
  const int i = b.Input({1}, tflite::TensorType_INT32);
  const int first = b.Input(kShape), second = b.Input(kShape);
  b.Output(b.Op(tflite::BuiltinOperator_ADD, {b.Const<int32_t>({1}, {2}), i},
                {b.Tensor({1}, tflite::TensorType_INT32)}, tflite::AddOptionsT()));
  b.Output(second);
  b.Output(changed ? b.Op(tflite::BuiltinOperator_SUB, {first, second}, {b.Tensor(kShape)},
                          tflite::SubOptionsT())
                   : first);
  b.SelectSubgraph(0);
  const std::vector<int> ends = {b.Tensor({1}, tflite::TensorType_INT32), b.Tensor(kShape),
                                 b.Tensor(kShape)};
  b.Op(tflite::BuiltinOperator_WHILE, {b.Const<int32_t>({1}, {3}), x, y}, ends, options);
  b.Output(ends[1]);
  b.Output(ends[2]);
  return b.Finish();
}

TEST(ControlFlow, ALoopOnTheGpuHandsItsValuesOnAsOnTheCpu) {
  if (BackendsAtHand().empty()) GTEST_SKIP() << "no device here";
  for (const int rounds : {0, 1, 2, 7}) {
    for (const bool changed : {false, true}) {
      for (const bool constant_start : {false, true}) {
        SCOPED_TRACE(tern::StrCat(rounds, " rounds, changed ", changed, ", from a constant ",
                                  constant_start));
        const Applied applied = Apply(ExchangeModel(rounds, changed, constant_start));
        EXPECT_EQ(applied.nodes, 1);
        EXPECT_EQ(applied.refused, 0) << applied.reason;
      }
    }
  }
}

enum class Inner { kOnlyOnCpu, kSoftmax, kTwo };

// A loop over x with this start and step of its counter; the body has one or two nodes of its own.
std::vector<uint8_t> CountedModel(int start, int step, int limit, Inner inner) {
  tern::testing::ModelBuilder b;
  const int x = b.Input(kShape), y = b.Tensor(kShape);
  tflite::WhileOptionsT options;
  options.cond_subgraph_index = Condition(b, tflite::BuiltinOperator_LESS, limit, 1);
  options.body_subgraph_index = b.AddSubgraph("body");
  const int i = b.Input({1}, tflite::TensorType_INT32), in = b.Input(kShape);
  b.Output(b.Op(tflite::BuiltinOperator_ADD, {i, b.Const<int32_t>({1}, {step})},
                {b.Tensor({1}, tflite::TensorType_INT32)}, tflite::AddOptionsT()));
  if (inner == Inner::kOnlyOnCpu) {
    b.Output(b.CustomOp("OnlyOnCpu", {in}, {b.Tensor(kShape)}));
  } else {
    const int s = b.Op(tflite::BuiltinOperator_SOFTMAX, {in}, {b.Tensor(kShape)}, [] {
      tflite::SoftmaxOptionsT softmax;
      softmax.beta = 1;
      return softmax;
    }());
    b.Output(inner == Inner::kSoftmax ? s
                                      : b.Op(tflite::BuiltinOperator_ADD, {s, in},
                                             {b.Tensor(kShape)}, tflite::AddOptionsT()));
  }
  b.SelectSubgraph(0);
  b.Op(tflite::BuiltinOperator_WHILE, {b.Const<int32_t>({1}, {start}), x},
       {b.Tensor({1}, tflite::TensorType_INT32), y}, options);
  b.Output(y);
  return b.Finish();
}

// The graphs of a loop run within its node, in a plan as in a run.
TEST(ControlFlow, ALoopOnTheGpuIsOneNodeInEveryReport) {
  const std::vector<std::string> backends = BackendsAtHand();
  if (backends.empty()) GTEST_SKIP() << "no device here";
  for (const char* plan_only : {"0", "1"}) {
    Session session(CountedModel(0, 1, 3, Inner::kTwo));
    const Delegate delegate =
        PluginDelegate({{"tern_backend", backends.front()}, {"tern_plan_only", plan_only}});
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    const auto report = ReportOf(delegate);
    EXPECT_EQ(report["nodes"], 1) << report;
    ASSERT_THAT(report["decisions"], SizeIs(1)) << report;
    EXPECT_EQ(report["decisions"][0]["op"], "WHILE");
  }
}

TEST(ControlFlow, ALoopOfConstantTripCountStaysOnTheGpu) {
  if (BackendsAtHand().empty()) GTEST_SKIP() << "no device here";
  for (const int rounds : {0, 1, 7}) {
    for (const Inner inner : {Inner::kSoftmax, Inner::kTwo}) {
      SCOPED_TRACE(rounds);
      const Applied applied = Apply(CountedModel(5, 3, 5 + 3 * rounds, inner));
      EXPECT_EQ(applied.nodes, 1);
      EXPECT_EQ(applied.partitions, 1) << "nothing is left of the body's own graph";
      EXPECT_EQ(applied.refused, 0) << applied.reason;
      EXPECT_EQ(applied.dispatches, std::max(rounds, 1)) << "one for each round, or a copy";
    }
  }
}

// Of a loop that does not end.
std::string ReasonOf(const std::vector<uint8_t>& model) {
  const Delegate delegate = PluginDelegate({{"tern_backend", BackendsAtHand().front()}});
  Session session(model);
  EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  return ReportOf(delegate)["refused"][0]["reason"];
}

TEST(ControlFlow, OtherLoopsAreRefused) {
  if (BackendsAtHand().empty()) GTEST_SKIP() << "no device here";
  EXPECT_EQ(Apply(CountedModel(0, 1, 3, Inner::kOnlyOnCpu)).reason,
            "in its body: OnlyOnCpu #0: this operation has no GPU form");
  EXPECT_EQ(Apply(CountedModel(0, 1, 1025, Inner::kSoftmax)).reason,
            "too many rounds (1025, limit 1024)");
  EXPECT_EQ(ReasonOf(CountedModel(INT32_MAX - 3, 2, INT32_MAX, Inner::kSoftmax)),
            "the counter leaves the range of its type");
  EXPECT_EQ(ReasonOf(CountedModel(0, 0, 1, Inner::kSoftmax)), "the counter does not grow (by 0)");
  EXPECT_EQ(Apply(LoopModel(tflite::BuiltinOperator_LESS_EQUAL, 2)).reason,
            "the condition is not one LESS of a value and a constant");
  // The maximum trip count.
  EXPECT_EQ(Apply(CountedModel(0, 1, 1024, Inner::kSoftmax)).refused, 0);
}

}  // namespace
}  // namespace tern::delegate
