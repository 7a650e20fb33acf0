// SPDX-License-Identifier: Apache-2.0
// Graphs that run graphs: the nodes inside of branches and loops run on the GPU as those of the
// first graph do.
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

// x -> RELU -> three rounds of the body -> RELU -> y
std::vector<uint8_t> LoopModel() {
  tern::testing::ModelBuilder b;
  const int x = b.Input(kShape);
  const int begin = b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(kShape)});
  tflite::WhileOptionsT options;
  options.cond_subgraph_index = b.AddSubgraph("condition");
  const int i = b.Input({1}, tflite::TensorType_INT32);
  b.Input(kShape);
  b.Output(b.Op(tflite::BuiltinOperator_LESS, {i, b.Const<int32_t>({1}, {3})},
                {b.Tensor({1}, tflite::TensorType_BOOL)}));
  b.SelectSubgraph(0);
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
  for (const auto& [model, body] : {std::pair(LoopModel(), 2), std::pair(BranchModel(), 1)}) {
    const Delegate delegate = PluginDelegate({{"tern_backend", backends.front()}});
    Session session(model);
    ASSERT_EQ(NodesOf(*session.operator->(), body), body == 2 ? 3 : 2);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    EXPECT_EQ(NodesOf(*session.operator->(), body), 1) << "one partition with all nodes";
    const std::vector<float> expected = CpuResult(model);
    for (int run = 0; run < 2; ++run) EXPECT_THAT(session.Run(), CloseTo(expected));
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
  EXPECT_EQ(PackedCount() > before, HasFastForms());
}

}  // namespace
}  // namespace tern::delegate
