// SPDX-License-Identifier: Apache-2.0
// Composites whose nodes AllocateTensors puts in their place, and those that stay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/testing/session.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern {
namespace {

using ::testing::ElementsAre;
using testing::ModelBuilder;
using testing::Session;
using tflite::BuiltinOperator_ABS;
using tflite::BuiltinOperator_ADD;
using tflite::BuiltinOperator_NEG;

tflite::InterpreterOptions Inlining() {
  tflite::InterpreterOptions options;
  options.SetShloCompositeInlining(true);
  return options;
}

int Composite(ModelBuilder& b, int x, int decomposition, const std::vector<int32_t>& shape = {2}) {
  tflite::StableHLOCompositeOptionsT options;
  options.name = "test.composite";
  options.decomposition_subgraph_index = decomposition;
  return b.Op(tflite::BuiltinOperator_STABLEHLO_COMPOSITE, {x}, {b.Tensor(shape)}, options);
}

// x -> |composite(x)|; the composite adds 1, twice where it holds another one.
ModelBuilder CompositeModel(bool nested) {
  ModelBuilder b;
  const int x = b.Input({2});
  b.Output(b.Op(BuiltinOperator_ABS, {Composite(b, x, 1)}, {b.Tensor({2})}));
  b.AddSubgraph("outer");
  const int in = b.Input({2});
  const int sum = b.Op(BuiltinOperator_ADD, {in, b.Const<float>({1}, {1})}, {b.Tensor({2})},
                       tflite::AddOptionsT());
  b.Output(nested ? Composite(b, sum, 2) : sum);
  if (!nested) return b;
  b.AddSubgraph("inner");
  const int y = b.Input({2});
  b.Output(b.Op(BuiltinOperator_ADD, {y, b.Const<float>({1}, {1})}, {b.Tensor({2})},
                tflite::AddOptionsT()));
  return b;
}

std::vector<int> CodesOf(Session& session) {
  std::vector<int> codes;
  for (const int node : session->execution_plan()) {
    codes.push_back(session->node_and_registration(node)->second.builtin_code);
  }
  return codes;
}

std::vector<float> ValuesOf(Session& session) {
  session.Set<float>(0, {-5, 3});
  EXPECT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
  return session.Get<float>(0);
}

TEST(InlineComposites, NodesOfDecompositionsTakeTheirPlace) {
  const tflite::InterpreterOptions options = Inlining();
  Session plain(CompositeModel(true));
  ASSERT_EQ(plain->AllocateTensors(), kTfLiteOk) << plain.Errors();
  EXPECT_THAT(CodesOf(plain), ElementsAre(kTfLiteBuiltinStablehloComposite, kTfLiteBuiltinAbs));
  Session session(CompositeModel(true), &options);
  EXPECT_THAT(CodesOf(session), ElementsAre(kTfLiteBuiltinStablehloComposite, kTfLiteBuiltinAbs));
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
    EXPECT_THAT(CodesOf(session),
                ElementsAre(kTfLiteBuiltinAdd, kTfLiteBuiltinAdd, kTfLiteBuiltinAbs));
    EXPECT_EQ(ValuesOf(session), ValuesOf(plain));
    EXPECT_THAT(ValuesOf(session), ElementsAre(3, 5));
  }
  ASSERT_EQ(session->ResizeInputTensor(0, {3}), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  session.Set<float>(0, {0, -2, -9});
  ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
  EXPECT_THAT(session.Get<float>(0), ElementsAre(2, 0, 7));
}

// A delegate without interest in the nodes: resized tensors undo and redo it.
TEST(InlineComposites, TensorsAreUsedAgainBesideADelegate) {
  const tflite::InterpreterOptions options = Inlining();
  Session session(CompositeModel(true), &options);
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.Prepare = [](TfLiteContext*, TfLiteDelegate*) { return kTfLiteOk; };
  ASSERT_EQ(session->ModifyGraphWithDelegate(&delegate), kTfLiteOk);
  size_t tensors = 0;
  for (const int size : {3, 4, 5, 6}) {
    ASSERT_EQ(session->ResizeInputTensor(0, {size}), kTfLiteOk);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
    EXPECT_EQ(CodesOf(session).size(), 3u);
    if (tensors == 0) tensors = session->tensors_size();
    session.Set<float>(0, std::vector<float>(static_cast<size_t>(size), 1));
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
    EXPECT_EQ(session.Get<float>(0), std::vector<float>(static_cast<size_t>(size), 3));
  }
  EXPECT_EQ(session->tensors_size(), tensors);
}

class OwnKernel : public tflite::ops::builtin::BuiltinOpResolver {
 public:
  OwnKernel() {
    TfLiteRegistration own = {};
    own.prepare = [](TfLiteContext*, TfLiteNode*) { return kTfLiteOk; };
    own.invoke = [](TfLiteContext* context, TfLiteNode* node) {
      context->tensors[node->outputs->data[0]].data.f[0] = 42;
      return kTfLiteOk;
    };
    AddBuiltin(tflite::BuiltinOperator_STABLEHLO_COMPOSITE, &own);
  }
};

TEST(InlineComposites, AKernelOfTheApplicationStays) {
  const tflite::InterpreterOptions options = Inlining();
  Session session(CompositeModel(true), &options, OwnKernel());
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(CodesOf(session).size(), 2u);
  EXPECT_EQ(ValuesOf(session)[0], 42);
}

TEST(InlineComposites, ANodeThatADelegateHasTakenStays) {
  const tflite::InterpreterOptions options = Inlining();
  Session session(CompositeModel(false), &options);
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.Prepare = [](TfLiteContext* context, TfLiteDelegate* self) {
    TfLiteRegistration kernel = {};
    kernel.custom_name = "Taken";
    kernel.invoke = [](TfLiteContext* c, TfLiteNode* node) {
      c->tensors[node->outputs->data[0]].data.f[0] = 6;
      return kTfLiteOk;
    };
    TfLiteIntArray* nodes = TfLiteIntArrayCreate(1);
    nodes->data[0] = 0;
    const TfLiteStatus status =
        context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes, self);
    TfLiteIntArrayFree(nodes);
    return status;
  };
  ASSERT_EQ(session->ModifyGraphWithDelegate(&delegate, {0}), kTfLiteOk) << session.Errors();
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_THAT(CodesOf(session), ElementsAre(kTfLiteBuiltinDelegate, kTfLiteBuiltinAbs));
  EXPECT_EQ(ValuesOf(session)[0], 6);
}

// Decompositions whose output is the input, which writes its input, or has a variable.
TEST(InlineComposites, WhatWouldGiveAnotherResultStays) {
  for (int kind = 0; kind < 3; ++kind) {
    ModelBuilder b;
    b.Output(Composite(b, b.Input({2}), 1));
    b.AddSubgraph("decomposition");
    const int in = b.Input({2});
    if (kind == 0) b.Output(in);
    if (kind == 1)
      b.Output(b.Op(BuiltinOperator_NEG, {b.Op(BuiltinOperator_ABS, {in}, {b.Tensor({2})})}, {in}));
    if (kind == 2) {
      b.Variable({2});
      b.Output(b.Op(BuiltinOperator_NEG, {in}, {b.Tensor({2})}));
    }
    const tflite::InterpreterOptions options = Inlining();
    Session session(b, &options);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
    EXPECT_THAT(CodesOf(session), ElementsAre(kTfLiteBuiltinStablehloComposite)) << kind;
    EXPECT_EQ(ValuesOf(session)[1], kind == 0 ? 3 : -3);
    EXPECT_EQ(session->typed_input_tensor<float>(0)[0], -5);
  }
}

TEST(InlineComposites, CirclesAndTooManyNodesAreErrors) {
  const tflite::InterpreterOptions options = Inlining();
  ModelBuilder circle;
  circle.Output(Composite(circle, circle.Input({2}), 1));
  for (const int next : {2, 1}) {
    circle.AddSubgraph("circle");
    circle.Output(Composite(circle, circle.Input({2}), next));
  }
  Session session(circle, &options);
  EXPECT_EQ(session->AllocateTensors(), kTfLiteError);
  EXPECT_THAT(session.Errors(), ::testing::HasSubstr("calls itself"));

  ModelBuilder tree;
  tree.Output(Composite(tree, tree.Input({2}), 1));
  for (int next = 2; next < 40; ++next) {
    tree.AddSubgraph("twice");
    tree.Output(Composite(tree, Composite(tree, tree.Input({2}), next), next));
  }
  tree.AddSubgraph("leaf");
  tree.Output(tree.Op(BuiltinOperator_NEG, {tree.Input({2})}, {tree.Tensor({2})}));
  Session many(tree, &options);
  EXPECT_EQ(many->AllocateTensors(), kTfLiteError);
  EXPECT_THAT(many.Errors(), ::testing::HasSubstr("make more than 262144 nodes"));
}

}  // namespace
}  // namespace tern
