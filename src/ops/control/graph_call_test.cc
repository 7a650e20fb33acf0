// SPDX-License-Identifier: Apache-2.0
// How graphs get their arguments: in the memory of the caller, with its types and shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/testing/session.h"
#include "tensorflow/lite/profiling/buffered_profiler.h"

namespace tern {
namespace {

using ::testing::ElementsAre;
using testing::ModelBuilder;
using testing::Session;
using tflite::BuiltinOperator_ADD;
using tflite::BuiltinOperator_NEG;
using tflite::TensorType_BOOL;
using tflite::TensorType_FLOAT32;
using tflite::TensorType_INT32;
using tflite::TensorType_INT8;

constexpr int kCondition = 1, kBody = 2;

void If(ModelBuilder& b, const std::vector<int>& inputs, const std::vector<int>& outputs) {
  tflite::IfOptionsT options;
  options.then_subgraph_index = 1;
  options.else_subgraph_index = 2;
  b.Op(tflite::BuiltinOperator_IF, inputs, outputs, options);
}

void While(ModelBuilder& b, const std::vector<int>& inputs, const std::vector<int>& outputs) {
  tflite::WhileOptionsT options;
  options.cond_subgraph_index = kCondition;
  options.body_subgraph_index = kBody;
  b.Op(tflite::BuiltinOperator_WHILE, inputs, outputs, options);
}

// x + y where `choice` is true, else -x; y has no part in that.
ModelBuilder Choice() {
  ModelBuilder b;
  const int choice = b.Input({1}, TensorType_BOOL), x = b.Input({2}), y = b.Input({1});
  const int z = b.Tensor({2});
  If(b, {choice, x, y}, {z});
  b.Output(z);
  b.AddSubgraph("then");
  const int a = b.Input({2}), c = b.Input({1});
  b.Output(b.Op(BuiltinOperator_ADD, {a, c}, {b.Tensor({2})}, tflite::AddOptionsT()));
  b.AddSubgraph("else");
  const int d = b.Input({2});
  b.Input({1});
  b.Output(b.Op(BuiltinOperator_NEG, {d}, {b.Tensor({2})}));
  return b;
}

// i, x, y -> x and y with exchanged places, as long as i < rounds or, with `on_y`, y > rounds.
ModelBuilder Exchange(int rounds, bool on_y) {
  ModelBuilder b;
  std::vector<int> inputs, outputs;
  for (int i = 0; i < 3; ++i) inputs.push_back(b.Input({1}, TensorType_INT32));
  for (int i = 0; i < 3; ++i) outputs.push_back(b.Tensor({1}, TensorType_INT32));
  While(b, inputs, outputs);
  for (const int output : outputs) b.Output(output);
  b.AddSubgraph("condition");
  std::vector<int> values;
  for (int i = 0; i < 3; ++i) values.push_back(b.Input({1}, TensorType_INT32));
  b.Output(b.Op(on_y ? tflite::BuiltinOperator_GREATER : tflite::BuiltinOperator_LESS,
                {values[on_y ? 2 : 0], b.Const<int32_t>({1}, {rounds})},
                {b.Tensor({1}, TensorType_BOOL)}));
  b.AddSubgraph("body");
  for (int i = 0; i < 3; ++i) values[i] = b.Input({1}, TensorType_INT32);
  b.Output(b.Op(BuiltinOperator_ADD, {values[0], b.Const<int32_t>({1}, {1})},
                {b.Tensor({1}, TensorType_INT32)}, tflite::AddOptionsT()));
  b.Output(values[2]);
  b.Output(values[1]);
  return b;
}

std::vector<int> RunExchange(int rounds, bool on_y) {
  Session session(Exchange(rounds, on_y));
  EXPECT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  const int32_t values[] = {0, 1, 7};
  for (int i = 0; i < 3; ++i) session.Set<int32_t>(i, {values[i]});
  EXPECT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
  return {session.Get<int32_t>(0)[0], session.Get<int32_t>(1)[0], session.Get<int32_t>(2)[0]};
}

// The numbers are the reference runtime's.
TEST(While, OfTwoExchangedValuesTheFirstOverwritesTheSecond) {
  EXPECT_THAT(RunExchange(0, false), ElementsAre(0, 1, 7));
  EXPECT_THAT(RunExchange(1, false), ElementsAre(1, 7, 7));
  EXPECT_THAT(RunExchange(2, false), ElementsAre(2, 7, 7));
  EXPECT_THAT(RunExchange(5, true), ElementsAre(1, 7, 7)) << "the condition sees 1";
}

TEST(GraphCall, InputsReadTheMemoryOfTheCaller) {
  Session session(Choice());
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  tflite::Subgraph& then = *session->subgraph(1);
  const TfLiteTensor* inside = then.tensor(then.inputs()[0]);
  EXPECT_EQ(inside->allocation_type, kTfLiteCustom);
  session.Set<bool>(0, {true});
  session.Set<float>(1, {1, 2});
  session.Set<float>(2, {10});
  ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
  EXPECT_THAT(session.Get<float>(0), ElementsAre(11, 12));
  EXPECT_EQ(inside->data.raw, session->input_tensor(1)->data.raw);
  // The graph alone has memory of its own.
  ASSERT_EQ(then.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(inside->allocation_type, kTfLiteArenaRw);
  inside->data.f[0] = 5;
  then.tensor(then.inputs()[1])->data.f[0] = 1;
  ASSERT_EQ(then.Invoke(), kTfLiteOk);
  EXPECT_EQ(then.tensor(then.outputs()[0])->data.f[0], 6);
  EXPECT_THAT(session.Get<float>(0), ElementsAre(11, 12));
  ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
  EXPECT_THAT(session.Get<float>(0), ElementsAre(11, 12));

  Session loop(Exchange(3, false));
  ASSERT_EQ(loop->AllocateTensors(), kTfLiteOk) << loop.Errors();
  const tflite::Subgraph& body = *loop->subgraph(kBody);
  for (const int input : body.inputs()) {
    EXPECT_EQ(body.tensor(input)->allocation_type, kTfLiteCustom);
  }
  for (int i = 0; i < 3; ++i) loop.Set<int32_t>(i, {0});
  ASSERT_EQ(loop->Invoke(), kTfLiteOk) << loop.Errors();
  EXPECT_EQ(body.tensor(body.inputs()[0])->data.raw, loop->output_tensor(0)->data.raw);
}

// A body that writes its own input must not write what the caller has.
TEST(GraphCall, AnInputThatIsWrittenIsACopy) {
  ModelBuilder b;
  const int choice = b.Input({1}, TensorType_BOOL), x = b.Input({2}), y = b.Tensor({2});
  If(b, {choice, x}, {y});
  b.Output(y);
  for (const char* name : {"then", "else"}) {
    b.AddSubgraph(name);
    const int in = b.Input({2});
    const int half = b.Op(BuiltinOperator_NEG, {in}, {b.Tensor({2})});
    b.Output(b.Op(tflite::BuiltinOperator_ABS, {half}, {in}));
  }
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  session.Set<bool>(0, {true});
  session.Set<float>(1, {-1, 2});
  ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
  EXPECT_THAT(session.Get<float>(0), ElementsAre(1, 2));
  EXPECT_EQ(session->typed_input_tensor<float>(1)[0], -1);
}

// Gives input 1 other sizes and fours; all elements of the output must be `want`.
void CheckFoursOfOtherSizes(Session* session, int output, float want) {
  Session& run = *session;
  for (const int size : {3, 1, 400}) {
    const auto all = [size](float value) {
      return std::vector<float>(static_cast<size_t>(size), value);
    };
    ASSERT_EQ(run->ResizeInputTensor(run->inputs()[1], {size}), kTfLiteOk);
    ASSERT_EQ(run->AllocateTensors(), kTfLiteOk) << run.Errors();
    run.Set<float>(1, all(4));
    ASSERT_EQ(run->Invoke(), kTfLiteOk) << run.Errors();
    EXPECT_EQ(run.Get<float>(output), all(want));
  }
}

TEST(GraphCall, OtherInputsKeepTheirValuesWhenOneIsResized) {
  Session session(Choice());
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  session.Set<bool>(0, {true});
  session.Set<float>(2, {7});
  CheckFoursOfOtherSizes(&session, 0, 11);
}

// i, x, y -> i + 1, x + y, y as long as i < 2.
ModelBuilder Growing() {
  ModelBuilder b;
  const auto values = [&b] {
    return std::vector<int>{b.Input({1}, TensorType_INT32), b.Input({2}), b.Input({1})};
  };
  const std::vector<int> outputs = {b.Tensor({1}, TensorType_INT32), b.Tensor({2}), b.Tensor({1})};
  While(b, values(), outputs);
  for (const int output : outputs) b.Output(output);
  b.AddSubgraph("condition");
  const int i = values()[0];
  b.Output(b.Op(tflite::BuiltinOperator_LESS, {i, b.Const<int32_t>({1}, {2})},
                {b.Tensor({1}, TensorType_BOOL)}));
  b.AddSubgraph("body");
  const std::vector<int> in = values();
  b.Output(b.Op(BuiltinOperator_ADD, {in[0], b.Const<int32_t>({1}, {1})},
                {b.Tensor({1}, TensorType_INT32)}, tflite::AddOptionsT()));
  b.Output(b.Op(BuiltinOperator_ADD, {in[1], in[2]}, {b.Tensor({2})}, tflite::AddOptionsT()));
  b.Output(in[2]);
  return b;
}

TEST(While, OtherInputsKeepTheirValuesWhenOneIsResized) {
  Session session(Growing());
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  session.Set<int32_t>(0, {0});
  session.Set<float>(2, {7});
  CheckFoursOfOtherSizes(&session, 1, 18);
}

// INT32 outside; inside the graphs declare floats.
TEST(GraphCall, GraphsTakeTheTypesOfTheirArguments) {
  for (const tflite::TensorType declared : {TensorType_INT32, TensorType_FLOAT32}) {
    ModelBuilder b;
    const int choice = b.Input({1}, TensorType_BOOL), x = b.Input({2}, TensorType_INT32);
    const int y = b.Tensor({2}, declared);
    If(b, {choice, x}, {y});
    b.Output(y);
    for (const char* name : {"then", "else"}) {
      b.AddSubgraph(name);
      const int in = b.Input({2}, TensorType_FLOAT32);
      b.Output(b.Op(BuiltinOperator_ADD, {in, in}, {b.Tensor({2}, TensorType_INT32)},
                    tflite::AddOptionsT()));
    }
    Session session(b);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
    session.Set<bool>(0, {true});
    session.Set<int32_t>(1, {3, -4});
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
    EXPECT_THAT(session.Get<int32_t>(0), ElementsAre(6, -8));
  }
}

// A loop whose counter grows from one element to three.
TEST(While, OfAConditionThatGrowsTheFirstElementCounts) {
  ModelBuilder b;
  const int i = b.Input({1}, TensorType_INT32), y = b.Tensor({3}, TensorType_INT32);
  While(b, {i}, {y});
  b.Output(y);
  b.AddSubgraph("condition");
  const int in = b.Input({1}, TensorType_FLOAT32);
  b.Output(b.Op(tflite::BuiltinOperator_LESS, {in, b.Const<int32_t>({1}, {2})},
                {b.Tensor({1}, TensorType_BOOL)}));
  b.AddSubgraph("body");
  const int before = b.Input({1}, TensorType_FLOAT32);
  b.Output(b.Op(BuiltinOperator_ADD, {before, b.Const<int32_t>({3}, {1, 10, 100})},
                {b.Tensor({3}, TensorType_INT32)}, tflite::AddOptionsT()));
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  session.Set<int32_t>(0, {0});
  ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
  EXPECT_THAT(session.Get<int32_t>(0), ElementsAre(2, 20, 200));
}

// Bytes go in and out; what they stand for is a matter of the branch.
TEST(StablehloCase, BranchesKeepTheirQuantization) {
  for (const bool outside_quantized : {true, false}) {
    ModelBuilder b;
    const int index = b.Input({1}, TensorType_INT32), x = b.Input({2}, TensorType_INT8);
    const int y = b.Tensor({2}, TensorType_INT8);
    if (outside_quantized) b.Quantize(x, 0.5f, 0), b.Quantize(y, 0.5f, 0);
    tflite::StablehloCaseOptionsT options;
    options.branch_subgraph_indices = {1, 2};
    b.Op(tflite::BuiltinOperator_STABLEHLO_CASE, {index, x}, {y}, options);
    b.Output(y);
    for (const float scale : {1.0f, 0.25f}) {
      b.AddSubgraph("branch");
      const int in = b.Quantize(b.Input({2}, TensorType_INT8), 0.5f, 0);
      b.Output(b.Op(BuiltinOperator_ADD, {in, in},
                    {b.Quantize(b.Tensor({2}, TensorType_INT8), scale, 0)}, tflite::AddOptionsT()));
    }
    Session session(b);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
    session.Set<int8_t>(1, {3, -4});
    for (const int branch : {0, 1}) {
      session.Set<int32_t>(0, {branch});
      ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
      const int factor = branch == 0 ? 1 : 4;
      EXPECT_THAT(session.Get<int8_t>(0), ElementsAre(3 * factor, -4 * factor));
    }
  }
}

TEST(If, ARunLeavesFiveEvents) {
  Session session(Choice());
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  session.Set<bool>(0, {true});
  tflite::profiling::BufferedProfiler profiler(100);
  session->SetProfiler(&profiler);
  profiler.StartProfiling();
  for (int run = 0; run < 2; ++run) {
    profiler.Reset();
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
    int in_graph[3] = {};
    std::vector<std::string> inside;
    for (const auto* event : profiler.GetProfileEvents()) {
      ++in_graph[event->extra_event_metadata];
      if (event->extra_event_metadata == 1) inside.push_back(event->tag);
    }
    EXPECT_THAT(in_graph, ElementsAre(2, 3, 0));
    EXPECT_THAT(inside, ::testing::UnorderedElementsAre("AllocateTensors", "Invoke", "ADD"));
  }
  session->SetProfiler(nullptr);
}

}  // namespace
}  // namespace tern
