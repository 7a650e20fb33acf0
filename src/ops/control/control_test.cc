// SPDX-License-Identifier: Apache-2.0
// Graphs that run graphs: results, shapes that change, errors of hostile models, and cancellation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "base/testing/sanitizers.h"
#include "ops/testing/session.h"

namespace tern {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ModelBuilder;
using testing::Session;
using tflite::BuiltinOperator_ADD;
using tflite::BuiltinOperator_CONCATENATION;
using tflite::BuiltinOperator_IF;
using tflite::BuiltinOperator_LESS;
using tflite::BuiltinOperator_NEG;
using tflite::BuiltinOperator_STABLEHLO_CASE;
using tflite::BuiltinOperator_WHILE;
using tflite::TensorType_BOOL;
using tflite::TensorType_INT32;

void If(ModelBuilder& b, const std::vector<int>& inputs, const std::vector<int>& outputs,
        int then_graph, int else_graph) {
  tflite::IfOptionsT options;
  options.then_subgraph_index = then_graph;
  options.else_subgraph_index = else_graph;
  b.Op(BuiltinOperator_IF, inputs, outputs, options);
}

void While(ModelBuilder& b, const std::vector<int>& inputs, const std::vector<int>& outputs,
           int condition, int body) {
  tflite::WhileOptionsT options;
  options.cond_subgraph_index = condition;
  options.body_subgraph_index = body;
  b.Op(BuiltinOperator_WHILE, inputs, outputs, options);
}

// A graph of one input and one output.
void UnaryGraph(ModelBuilder& b, tflite::BuiltinOperator code) {
  b.AddSubgraph("unary");
  const int x = b.Input({2});
  b.Output(b.Op(code, {x}, {b.Tensor({2})}));
}

// a, b, i -> b, a + b, i + 1 as long as i < n, n a constant of the condition.
ModelBuilder Fibonacci(int n) {
  ModelBuilder b;
  std::vector<int> inputs, outputs;
  for (int i = 0; i < 3; ++i) inputs.push_back(b.Input({1}, TensorType_INT32));
  for (int i = 0; i < 3; ++i) outputs.push_back(b.Tensor({1}, TensorType_INT32));
  While(b, inputs, outputs, 1, 2);
  for (const int output : outputs) b.Output(output);
  b.AddSubgraph("condition");
  for (int i = 0; i < 2; ++i) b.Input({1}, TensorType_INT32);
  const int i = b.Input({1}, TensorType_INT32);
  b.Output(b.Op(BuiltinOperator_LESS, {i, b.Const<int32_t>({1}, {n})},
                {b.Tensor({1}, TensorType_BOOL)}));
  b.AddSubgraph("body");
  const int first = b.Input({1}, TensorType_INT32), second = b.Input({1}, TensorType_INT32);
  const int count = b.Input({1}, TensorType_INT32);
  b.Output(second);
  b.Output(b.Op(BuiltinOperator_ADD, {first, second}, {b.Tensor({1}, TensorType_INT32)},
                tflite::AddOptionsT()));
  b.Output(b.Op(BuiltinOperator_ADD, {count, b.Const<int32_t>({1}, {1})},
                {b.Tensor({1}, TensorType_INT32)}, tflite::AddOptionsT()));
  return b;
}

TEST(While, RunsAsOftenAsItsConditionSays) {
  for (const int n : {0, 1, 2, 10}) {
    Session session(Fibonacci(n));
    ASSERT_TRUE(session.built());
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
    int a = 0, b = 1;
    for (int i = 0; i < n; ++i) b += std::exchange(a, b);
    for (int run = 0; run < 2; ++run) {
      session.Set<int32_t>(0, {0});
      session.Set<int32_t>(1, {1});
      session.Set<int32_t>(2, {0});
      ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
      EXPECT_THAT(session.Get<int32_t>(0), ElementsAre(a)) << n;
      EXPECT_THAT(session.Get<int32_t>(1), ElementsAre(b)) << n;
      EXPECT_THAT(session.Get<int32_t>(2), ElementsAre(n)) << n;
    }
  }
}

// i, x -> i + 1, x beside itself.
ModelBuilder Doubling(int n) {
  ModelBuilder b;
  const int i = b.Input({1}, TensorType_INT32), x = b.Input({2});
  const std::vector<int> outputs = {b.Tensor({1}, TensorType_INT32), b.Tensor({2})};
  While(b, {i, x}, outputs, 1, 2);
  b.Output(b.Op(BuiltinOperator_NEG, {outputs[1]}, {b.Tensor({2})}));
  b.AddSubgraph("condition");
  const int count = b.Input({1}, TensorType_INT32);
  b.Input({2});
  b.Output(b.Op(BuiltinOperator_LESS, {count, b.Const<int32_t>({1}, {n})},
                {b.Tensor({1}, TensorType_BOOL)}));
  b.AddSubgraph("body");
  const int before = b.Input({1}, TensorType_INT32), half = b.Input({2});
  b.Output(b.Op(BuiltinOperator_ADD, {before, b.Const<int32_t>({1}, {1})},
                {b.Tensor({1}, TensorType_INT32)}, tflite::AddOptionsT()));
  b.Output(b.Op(BuiltinOperator_CONCATENATION, {half, half}, {b.Tensor({4})},
                tflite::ConcatenationOptionsT()));
  return b;
}

TEST(While, ABodyMayChangeShapes) {
  Session session(Doubling(3));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  for (const int begin : {0, 2, 3, 0}) {
    session.Set<int32_t>(0, {begin});
    session.Set<float>(1, {1, 2});
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
    std::vector<float> expected;
    for (int i = 0; i < 1 << (3 - begin); ++i) {
      expected.push_back(-1);
      expected.push_back(-2);
    }
    EXPECT_EQ(session.Get<float>(0), expected) << begin;
  }
}

TEST(While, ALoopThatDoesNotEndCanBeCancelled) {
  Session session(Fibonacci(INT32_MAX));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  int nodes = 0;
  session->SetCancellationFunction(&nodes, [](void* n) { return ++*static_cast<int*>(n) == 1000; });
  for (int i = 0; i < 3; ++i) session.Set<int32_t>(i, {0});
  EXPECT_EQ(session->Invoke(), kTfLiteError);
  EXPECT_EQ(nodes, 1000);
  EXPECT_THAT(session.Errors(), HasSubstr("Client requested cancel during Invoke()"));
  session->SetCancellationFunction(nullptr, nullptr);
}

TEST(While, ALoopOfGraphsWithoutNodesCanBeCancelled) {
  ModelBuilder b;
  const int x = b.Input({1}, TensorType_BOOL), y = b.Tensor({1}, TensorType_BOOL);
  While(b, {x}, {y}, 1, 2);
  b.Output(y);
  for (const char* name : {"condition", "body"}) {
    b.AddSubgraph(name);
    b.Output(b.Input({1}, TensorType_BOOL));
  }
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  *session->typed_input_tensor<bool>(0) = true;
  int polls = 0;
  session->SetCancellationFunction(&polls,
                                   [](void* count) { return ++*static_cast<int*>(count) > 1000; });
  EXPECT_EQ(session->Invoke(), kTfLiteError);
  EXPECT_THAT(session.Errors(), HasSubstr("Client requested cancel"));
}

// Doubles until the memory that a process may have is used up.
void RunOutOfMemory() {
  const rlimit limit = {size_t{1} << 30, size_t{1} << 30};
  setrlimit(RLIMIT_AS, &limit);
  Session session(Doubling(100));
  session->AllocateTensors();
  session.Set<int32_t>(0, {0});
  session.Set<float>(1, {1, 2});
  std::exit(session->Invoke() == kTfLiteError && !session.Errors().empty() ? 0 : 1);
}

TEST(WhileDeathTest, ALoopThatWantsAllMemoryFails) {
  if (tern::testing::kAddressSanitizer || tern::testing::kThreadSanitizer)
    GTEST_SKIP() << "sanitizers need more address space than the test allows";
  EXPECT_EXIT(RunOutOfMemory(), ::testing::ExitedWithCode(0), "");
}

TEST(If, RunsTheBranchThatIsChosen) {
  ModelBuilder b;
  const int choice = b.Input({1}, TensorType_BOOL), x = b.Input({2}), y = b.Tensor({2});
  If(b, {choice, x}, {y}, 1, 2);
  b.Output(b.Op(BuiltinOperator_NEG, {y}, {b.Tensor({2})}));
  UnaryGraph(b, BuiltinOperator_NEG);
  UnaryGraph(b, tflite::BuiltinOperator_ABS);
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  for (const int count : {2, 3}) {
    ASSERT_EQ(session->ResizeInputTensor(session->inputs()[1], {count}), kTfLiteOk);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
    for (const bool then : {true, false, true}) {
      session.Set<bool>(0, {then});
      session.Set<float>(1, std::vector<float>(static_cast<size_t>(count), -3));
      ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
      EXPECT_EQ(session.Get<float>(0), std::vector<float>(static_cast<size_t>(count), -3));
    }
  }
}

// A file's constant may hold any byte.
TEST(If, EveryByteButZeroIsTrue) {
  for (const uint8_t byte : {0, 1, 2, 83, 255}) {
    ModelBuilder b;
    const int choice = b.ConstBytes({1}, TensorType_BOOL, {byte});
    const int x = b.Input({2}), y = b.Tensor({2});
    If(b, {choice, x}, {y}, 1, 2);
    b.Output(y);
    UnaryGraph(b, BuiltinOperator_NEG);
    UnaryGraph(b, tflite::BuiltinOperator_ABS);
    Session session(b);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
    session.Set<float>(0, {3, 4});
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
    EXPECT_EQ(session.Get<float>(0)[0], byte != 0 ? -3 : 3);
  }
}

TEST(If, BranchesOfDifferentShapes) {
  ModelBuilder b;
  const int choice = b.Input({1}, TensorType_BOOL), x = b.Input({2}), y = b.Tensor({2});
  If(b, {choice, x}, {y}, 1, 2);
  b.Output(b.Op(BuiltinOperator_NEG, {y}, {b.Tensor({2})}));
  UnaryGraph(b, BuiltinOperator_NEG);
  b.AddSubgraph("twice");
  const int half = b.Input({2});
  b.Output(b.Op(BuiltinOperator_CONCATENATION, {half, half}, {b.Tensor({4})},
                tflite::ConcatenationOptionsT()));
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  for (const bool then : {true, false, true}) {
    session.Set<bool>(0, {then});
    session.Set<float>(1, {1, 2});
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
    EXPECT_EQ(session.Get<float>(0),
              then ? (std::vector<float>{1, 2}) : (std::vector<float>{-1, -2, -1, -2}));
  }
}

TEST(StablehloCase, AnIndexOutsideOfTheBranchesTakesTheLast) {
  ModelBuilder b;
  const int index = b.Input({}, TensorType_INT32), x = b.Input({2}), y = b.Tensor({2});
  tflite::StablehloCaseOptionsT options;
  options.branch_subgraph_indices = {1, 2};
  b.Output(b.Op(BuiltinOperator_STABLEHLO_CASE, {index, x}, {y}, options));
  UnaryGraph(b, BuiltinOperator_NEG);
  UnaryGraph(b, tflite::BuiltinOperator_ABS);
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  for (const auto& [choice, expected] :
       {std::pair(0, 5.0f), {1, 5.0f}, {2, 5.0f}, {-1, 5.0f}, {INT32_MIN, 5.0f}}) {
    session.Set<int32_t>(0, {choice});
    session.Set<float>(1, {choice == 0 ? -5.0f : 5.0f, -5});
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
    EXPECT_THAT(session.Get<float>(0), ElementsAre(expected, 5)) << choice;
  }
}

// Returns the error of AllocateTensors for a chain of graphs. Each calls the next through IF; the
// last one calls `last`, or none.
std::string ErrorOfCalls(int chain, int last) {
  ModelBuilder b;
  for (int i = 0; i < chain; ++i) {
    if (i > 0) b.AddSubgraph("s");
    const int condition = b.Const<bool>({1}, {true});
    const int x = b.Input({1}), y = b.Tensor({1});
    const int callee = i + 1 < chain ? i + 1 : last;
    if (callee < 0) {
      b.Op(BuiltinOperator_NEG, {x}, {y});
    } else {
      If(b, {condition, x}, {y}, callee, callee);
    }
    b.Output(y);
  }
  Session session(b);
  if (!session.built()) return "not built: " + session.Errors();
  const TfLiteStatus status = session->AllocateTensors();
  EXPECT_EQ(status == kTfLiteOk, session.Errors().empty());
  return session.Errors();
}

TEST(GraphCall, CallsInACircleAndTooDeepOnesAreErrors) {
  EXPECT_EQ(ErrorOfCalls(5, -1), "");
  EXPECT_EQ(ErrorOfCalls(60, -1), "");
  EXPECT_THAT(ErrorOfCalls(70, -1), HasSubstr("Subgraphs call each other too deeply."));
  EXPECT_THAT(ErrorOfCalls(10000, -1), HasSubstr("Subgraphs call each other too deeply."));
  EXPECT_THAT(ErrorOfCalls(1, 0), HasSubstr("Subgraph 0 calls itself"));
  EXPECT_THAT(ErrorOfCalls(2, 0), HasSubstr("Subgraph 0 calls itself"));
  EXPECT_THAT(ErrorOfCalls(3, 1), HasSubstr("Subgraph 1 calls itself"));
  EXPECT_THAT(ErrorOfCalls(2, 7), HasSubstr("IF: the subgraph of then is out of range (7, 2)"));
}

TEST(GraphCall, OperandsThatDoNotFitAreErrors) {
  const auto error = [](int graph_inputs, tflite::TensorType type, int choice_count) {
    ModelBuilder b;
    const int choice = b.Input({choice_count}, TensorType_BOOL), x = b.Input({1}, type);
    const int y = b.Tensor({1});
    If(b, {choice, x}, {y}, 1, 1);
    b.Output(y);
    b.AddSubgraph("s");
    int last = -1;
    for (int i = 0; i < graph_inputs; ++i) last = b.Input({1});
    b.Output(b.Op(BuiltinOperator_NEG, {last}, {b.Tensor({1})}));
    Session session(b);
    EXPECT_TRUE(session.built()) << session.Errors();
    const TfLiteStatus status = session->AllocateTensors();
    EXPECT_EQ(status == kTfLiteOk, session.Errors().empty());
    return session.Errors();
  };
  EXPECT_EQ(error(1, tflite::TensorType_FLOAT32, 1), "");
  EXPECT_THAT(error(2, tflite::TensorType_FLOAT32, 1),
              HasSubstr("then (subgraph 1) has 2 inputs and 1 outputs (1 and 1 needed)"));
  // The graph takes the argument's type, but what it declares for its results stays.
  EXPECT_THAT(error(1, TensorType_INT32, 1),
              HasSubstr("NEG: input and output must have one type (INT32, FLOAT32)"));
  EXPECT_THAT(error(1, tflite::TensorType_FLOAT32, 2),
              HasSubstr("condition must have one element"));
}

TEST(GraphCall, ALoopNeedsABodyThatGivesWhatItTakes) {
  const auto error = [](int condition, int body, bool scalar) {
    ModelBuilder b;
    const int x = b.Input({scalar ? 1 : 3}), y = b.Tensor({1});
    While(b, {x}, {y}, condition, body);
    b.Output(y);
    b.AddSubgraph("condition");
    const int c = b.Input({1});
    b.Output(b.Op(BuiltinOperator_LESS, {c, b.Const<float>({1}, {3})},
                  {b.Tensor({1}, TensorType_BOOL)}));
    b.AddSubgraph("body");
    b.Output(b.Op(BuiltinOperator_NEG, {b.Input({1})}, {b.Tensor({1})}));
    Session session(b);
    EXPECT_TRUE(session.built()) << session.Errors();
    const TfLiteStatus status = session->AllocateTensors();
    EXPECT_EQ(status == kTfLiteOk, session.Errors().empty());
    return session.Errors();
  };
  EXPECT_EQ(error(1, 2, true), "");
  EXPECT_THAT(error(1, 1, true), HasSubstr("condition and body are the same subgraph (1)"));
  EXPECT_THAT(error(2, 1, true), HasSubstr("(result of the condition)"));
  EXPECT_THAT(error(1, 2, false), HasSubstr("result of the condition must have one element"));
  EXPECT_THAT(error(1, 0, true), HasSubstr("Subgraph 0 calls itself"));
}

}  // namespace
}  // namespace tern
