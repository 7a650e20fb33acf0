// SPDX-License-Identifier: Apache-2.0
//
// Interpreters of several subgraphs, and what their parts offer to tests and tools.
#include "tensorflow/lite/core/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "runtime/testing/fake_delegate.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/array.h"
#include "tensorflow/lite/core/c/operator.h"
#include "tensorflow/lite/model.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "tensorflow/lite/optional_debug_tools.h"

namespace tern {
namespace {

using ::testing::ElementsAre;
using testing::FakeDelegate;
using testing::ModelBuilder;

// `graphs` subgraphs of one "add" node each: tensor 1 = tensor 0 + tensor 0.
std::unique_ptr<tflite::Interpreter> Graphs(int graphs, tflite::ErrorReporter* reporter) {
  auto interpreter = std::make_unique<tflite::Interpreter>(reporter);
  if (graphs > 1) interpreter->AddSubgraphs(graphs - 1);
  const TfLiteRegistration add = testing::AddOp();
  for (int g = 0; g < graphs; ++g) {
    tflite::Subgraph* graph = interpreter->subgraph(g);
    graph->AddTensors(2);
    for (int t = 0; t < 2; ++t) {
      graph->SetTensorParametersReadWrite(t, kTfLiteFloat32, "t", std::vector<int>{2},
                                          TfLiteQuantization());
    }
    graph->SetInputs({0});
    graph->SetOutputs({1});
    graph->AddNodeWithParameters({0, 0}, {1}, {}, nullptr, 0, nullptr, &add);
  }
  return interpreter;
}

// Notes which subgraphs it is asked to prepare, by the context's address.
struct Visitor {
  Visitor() {
    delegate = TfLiteDelegateCreate();
    delegate.data_ = this;
    delegate.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
    delegate.Prepare = [](TfLiteContext* context, TfLiteDelegate* d) {
      static_cast<Visitor*>(d->data_)->visited.push_back(
          static_cast<tflite::Subgraph*>(context->impl_)->GetSubgraphIndex());
      return kTfLiteOk;
    };
  }
  TfLiteDelegate delegate;
  std::vector<int> visited;
};

TEST(ActiveSubgraphs, AreVisitedOnceInOrder) {
  testing::RecordingReporter reporter;
  auto interpreter = Graphs(4, &reporter);
  Visitor visitor;
  ASSERT_EQ(interpreter->ModifyGraphWithDelegate(&visitor.delegate, {2, 0, 2}), kTfLiteOk);
  EXPECT_THAT(visitor.visited, ElementsAre(0, 2));
  EXPECT_EQ(interpreter->ModifyGraphWithDelegate(&visitor.delegate, {}), kTfLiteApplicationError);
  EXPECT_EQ(interpreter->ModifyGraphWithDelegate(&visitor.delegate, {0, 4}),
            kTfLiteApplicationError);
  EXPECT_EQ(visitor.visited.size(), 2u) << "nothing more was asked";
}

TEST(Signatures, OfAModelWithoutAnyHaveAPlaceholderForAKey) {
  testing::RecordingReporter reporter;
  auto interpreter = Graphs(1, &reporter);
  tflite::SignatureRunner* runner = interpreter->GetSignatureRunner(nullptr);
  ASSERT_NE(runner, nullptr);
  EXPECT_EQ(runner->signature_key(), "<placeholder signature>");
  EXPECT_TRUE(interpreter->signature_keys().empty());
  EXPECT_EQ(interpreter->GetSignatureRunner("<placeholder signature>"), nullptr);
}

TEST(Subgraphs, ResizeByPointer) {
  testing::RecordingReporter reporter;
  auto interpreter = Graphs(1, &reporter);
  tflite::Subgraph& graph = interpreter->primary_subgraph();
  const int dims[] = {3, 4};
  ASSERT_EQ(graph.ResizeInputTensor(0, dims, 2), kTfLiteOk);
  ASSERT_EQ(graph.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.tensor(1)->bytes, 48u);
  EXPECT_EQ(graph.ResizeInputTensor(0, nullptr, 2), kTfLiteError);
  EXPECT_EQ(graph.ResizeInputTensor(0, dims, -1), kTfLiteError);
  ASSERT_EQ(graph.ResizeInputTensor(0, nullptr, 0), kTfLiteOk);
  ASSERT_EQ(graph.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.tensor(1)->bytes, 4u);
}

TEST(Subgraphs, GiveTheContextsOfOthers) {
  testing::RecordingReporter reporter;
  auto interpreter = Graphs(2, &reporter);
  tflite::Subgraph& graph = interpreter->primary_subgraph();
  TfLiteContext* other = nullptr;
  ASSERT_EQ(graph.AcquireSubgraphContext(1, &other), kTfLiteOk);
  ASSERT_EQ(other, interpreter->subgraph(1)->context());
  TfLiteIntArray* plan = nullptr;
  EXPECT_EQ(other->GetExecutionPlan(other, &plan), kTfLiteOk);
  EXPECT_EQ(graph.ReleaseSubgraphContext(1), kTfLiteOk);
  EXPECT_EQ(other->GetExecutionPlan(other, &plan), kTfLiteError) << "closed";
  EXPECT_EQ(graph.AcquireSubgraphContext(2, &other), kTfLiteError);
  EXPECT_EQ(graph.ReleaseSubgraphContext(-1), kTfLiteError);
}

TEST(Subgraphs, HoldOptionsAndContexts) {
  testing::RecordingReporter reporter;
  auto interpreter = Graphs(1, &reporter);
  tflite::Subgraph& graph = interpreter->primary_subgraph();
  EXPECT_FALSE(graph.ShouldOptimizeMemoryForLargeTensors());
  graph.OptimizeMemoryForLargeTensors(4096);
  EXPECT_TRUE(graph.ShouldOptimizeMemoryForLargeTensors());
  EXPECT_EQ(graph.GetOptions()->GetDynamicAllocationForLargeTensors(), 4096);
  EXPECT_FALSE(graph.GetAllowFp16PrecisionForFp32());
  interpreter->SetAllowFp16PrecisionForFp32(true);
  EXPECT_TRUE(graph.GetAllowFp16PrecisionForFp32());
  TfLiteExternalContext external = {};
  graph.SetExternalContext(kTfLiteEigenContext, &external);
  TfLiteContext* context = graph.context();
  EXPECT_EQ(context->GetExternalContext(context, kTfLiteEigenContext), &external);
}

TEST(DelegationMetadata, SaysWhetherADelegateWasApplied) {
  testing::RecordingReporter reporter;
  auto interpreter = Graphs(1, &reporter);
  EXPECT_FALSE(
      tflite::GetNodeDelegationMetadata(interpreter->primary_subgraph()).has_delegate_applied);
  FakeDelegate delegate;
  ASSERT_EQ(interpreter->ModifyGraphWithDelegate(delegate.Ready()), kTfLiteOk);
  const auto metadata = tflite::GetNodeDelegationMetadata(interpreter->primary_subgraph());
  EXPECT_TRUE(metadata.has_delegate_applied);
  EXPECT_TRUE(metadata.is_node_delegated[0]);
  EXPECT_EQ(metadata.replaced_by_node[0], 1);
}

// A static delegate, then one whose kernel leaves its output open: the graph is as before both.
TEST(Delegates, DynamicOutputAfterAStaticDelegateRestoresTheGraph) {
  testing::RecordingReporter reporter;
  auto interpreter = Graphs(1, &reporter);
  FakeDelegate first("nothing");
  ASSERT_EQ(interpreter->ModifyGraphWithDelegate(first.Ready()), kTfLiteOk);
  FakeDelegate second;
  second.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  second.dynamic_outputs = true;
  EXPECT_EQ(interpreter->ModifyGraphWithDelegate(second.Ready()), kTfLiteApplicationError)
      << reporter.text;
  EXPECT_THAT(interpreter->execution_plan(), ElementsAre(0));
  EXPECT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(interpreter->Invoke(), kTfLiteOk);
}

// A chain of the ops "first", "rest" and "rest" over tensors 0 to 3.
std::unique_ptr<tflite::Interpreter> Chain(tflite::ErrorReporter* reporter) {
  auto interpreter = std::make_unique<tflite::Interpreter>(reporter);
  interpreter->AddTensors(4);
  for (int t = 0; t < 4; ++t) {
    interpreter->SetTensorParametersReadWrite(t, kTfLiteFloat32, "t", {2}, TfLiteQuantization());
  }
  interpreter->SetInputs({0});
  interpreter->SetOutputs({3});
  for (int n = 0; n < 3; ++n) {
    const TfLiteRegistration op = testing::AddOp(n == 0 ? "first" : "rest");
    interpreter->AddNodeWithParameters({n}, {n + 1}, nullptr, 0, nullptr, &op);
  }
  return interpreter;
}

TEST(Delegates, DynamicOutputBeforeOrAfterAStaticKernelRestoresTheGraph) {
  for (const char* names : {"rest first", "first rest"}) {
    const std::string both = names;
    const size_t space = both.find(' ');
    testing::RecordingReporter reporter;
    auto interpreter = Chain(&reporter);
    FakeDelegate fixed(both.substr(0, space));
    ASSERT_EQ(interpreter->ModifyGraphWithDelegate(fixed.Ready()), kTfLiteOk);
    FakeDelegate open(both.substr(space + 1));
    open.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
    open.dynamic_outputs = true;
    EXPECT_EQ(interpreter->ModifyGraphWithDelegate(open.Ready()), kTfLiteApplicationError) << both;
    EXPECT_THAT(interpreter->execution_plan(), ElementsAre(0, 1, 2));
    EXPECT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
    EXPECT_EQ(interpreter->Invoke(), kTfLiteOk);
  }
}

// Claims the nodes 2, 0 and 2 again.
TEST(Delegates, ANodeThatIsClaimedTwiceIsReplacedOnce) {
  testing::RecordingReporter reporter;
  auto interpreter = Chain(&reporter);
  static std::vector<std::vector<int>> replaced;
  replaced.clear();
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.Prepare = [](TfLiteContext* context, TfLiteDelegate* self) {
    TfLiteRegistration kernel = {};
    kernel.custom_name = "Twice";
    kernel.init = [](TfLiteContext*, const char* buffer, size_t) -> void* {
      const auto* params = reinterpret_cast<const TfLiteDelegateParams*>(buffer);
      replaced.emplace_back(params->nodes_to_replace->data,
                            params->nodes_to_replace->data + params->nodes_to_replace->size);
      return nullptr;
    };
    kernel.invoke = [](TfLiteContext*, TfLiteNode*) { return kTfLiteOk; };
    const tflite::IntArrayUniquePtr nodes = tflite::BuildTfLiteArray({2, 0, 2});
    return context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes.get(), self);
  };
  ASSERT_EQ(interpreter->ModifyGraphWithDelegate(&delegate), kTfLiteOk) << reporter.text;
  EXPECT_THAT(replaced, ElementsAre(ElementsAre(0), ElementsAre(2)));
  EXPECT_THAT(interpreter->execution_plan(), ElementsAre(3, 1, 4));
}

TEST(CustomAllocations, ADynamicTensorTakesNone) {
  testing::RecordingReporter reporter;
  auto interpreter = Graphs(1, &reporter);
  interpreter->tensor(1)->allocation_type = kTfLiteDynamic;
  alignas(64) static float memory[16];
  EXPECT_EQ(interpreter->SetCustomAllocationForTensor(1, {memory, sizeof(memory)}), kTfLiteError);
  interpreter->tensor(1)->allocation_type = kTfLiteArenaRw;
  EXPECT_EQ(interpreter->SetCustomAllocationForTensor(1, {memory, sizeof(memory)}), kTfLiteOk);
}

class CustomModel : public ::testing::Test {
 protected:
  CustomModel() {
    ModelBuilder b;
    const int x = b.Input({2}, tflite::TensorType_FLOAT32, "x");
    const int y = b.Tensor({2}, tflite::TensorType_FLOAT32, "y");
    b.CustomOp("mine", {x}, {y});
    b.Output(y);
    bytes_ = b.Finish();
    model_ = tflite::FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes_.data()),
                                                      bytes_.size());
  }

  std::vector<uint8_t> bytes_;
  std::unique_ptr<tflite::FlatBufferModel> model_;
  std::unique_ptr<tflite::Interpreter> interpreter_;
};

// The operator's own data reaches its functions through copies of a resolver.
TEST_F(CustomModel, OperatorsWithDataSurviveCopiesOfTheirResolver) {
  int calls = 0;
  TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "mine", 1, &calls);
  ASSERT_EQ(
      TfLiteOperatorSetInvokeWithData(op,
                                      [](void* data, TfLiteOpaqueContext*, TfLiteOpaqueNode*) {
                                        ++*static_cast<int*>(data);
                                        return kTfLiteOk;
                                      }),
      kTfLiteOk);
  {
    TfLiteRegistration registration = {};
    registration.registration_external = op;
    tflite::MutableOpResolver copy;
    {
      tflite::MutableOpResolver original;
      original.AddCustom("mine", &registration);
      tflite::MutableOpResolver second = original;
      copy.AddAll(second);
    }
    ASSERT_EQ(tflite::InterpreterBuilder(*model_, copy)(&interpreter_), kTfLiteOk);
  }
  ASSERT_EQ(interpreter_->AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(interpreter_->Invoke(), kTfLiteOk);
  EXPECT_EQ(calls, 1);
  interpreter_.reset();
  TfLiteOperatorDelete(op);
}

}  // namespace
}  // namespace tern
