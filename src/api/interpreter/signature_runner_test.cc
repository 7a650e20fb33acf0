// SPDX-License-Identifier: Apache-2.0
//
// Signatures: names, runners, custom memory.
#include "tensorflow/lite/core/signature_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/testing/model_builder.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/mutable_op_resolver.h"

namespace tern {
namespace {

using ::testing::ElementsAre;
using testing::ModelBuilder;
using ::testing::StrEq;

// Subgraph `index`: sum = x + y, named in an order unlike that of the graph.
void AddSum(ModelBuilder* b, const char* key) {
  const int x = b->Input({2}, tflite::TensorType_FLOAT32, "tx");
  const int y = b->Input({2}, tflite::TensorType_FLOAT32, "ty");
  const int sum = b->Tensor({2}, tflite::TensorType_FLOAT32, "tsum");
  b->CustomOp("add", {x, y}, {sum});
  b->Output(sum);
  if (key != nullptr) b->Signature(key, {{"b", x}, {"a", y}}, {{"sum", sum}});
}

struct LoadedRunner {
  explicit LoadedRunner(const ModelBuilder& builder,
                        const tflite::InterpreterOptions* options = nullptr)
      : bytes(builder.Finish()) {
    const TfLiteRegistration op = testing::AddOp();
    resolver.AddCustom("add", &op);
    model = tflite::FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes.data()),
                                                     bytes.size(), &reporter);
    if (model != nullptr) {
      tflite::InterpreterBuilder(*model, resolver, options)(&interpreter);
    }
  }
  std::vector<uint8_t> bytes;
  testing::RecordingReporter reporter;
  tflite::MutableOpResolver resolver;
  std::unique_ptr<tflite::FlatBufferModel> model;
  std::unique_ptr<tflite::Interpreter> interpreter;
};

TEST(SignatureRunner, FindsTensorsByName) {
  ModelBuilder b;
  AddSum(&b, "serve");
  LoadedRunner m(b);
  ASSERT_NE(m.interpreter, nullptr) << m.reporter.text;
  ASSERT_EQ(m.interpreter->signature_keys().size(), 1u);
  EXPECT_EQ(*m.interpreter->signature_keys()[0], "serve");
  tflite::SignatureRunner* runner = m.interpreter->GetSignatureRunner("serve");
  ASSERT_NE(runner, nullptr);
  EXPECT_EQ(m.interpreter->GetSignatureRunner("serve"), runner);
  EXPECT_EQ(m.interpreter->GetSignatureRunner("other"), nullptr);
  EXPECT_EQ(runner->signature_key(), "serve");
  EXPECT_EQ(runner->input_size(), 2u);
  EXPECT_EQ(runner->output_size(), 1u);
  EXPECT_THAT(runner->input_names(), ElementsAre(StrEq("a"), StrEq("b")));
  EXPECT_THAT(runner->subgraph_input_names(), ElementsAre(StrEq("b"), StrEq("a")));
  EXPECT_THAT(runner->subgraph_output_names(), ElementsAre(StrEq("sum")));
  ASSERT_EQ(runner->ResizeInputTensor("a", {3}), kTfLiteOk);
  ASSERT_EQ(runner->ResizeInputTensor("b", {3}), kTfLiteOk);
  EXPECT_EQ(runner->ResizeInputTensorStrict("b", {4}), kTfLiteError);
  ASSERT_EQ(runner->AllocateTensors(), kTfLiteOk);
  for (int i = 0; i < 3; ++i) {
    runner->input_tensor("a")->data.f[i] = 1;
    runner->input_tensor("b")->data.f[i] = static_cast<float>(i);
  }
  ASSERT_EQ(runner->Invoke(), kTfLiteOk);
  EXPECT_EQ(runner->output_tensor("sum")->data.f[2], 3);
}

// Old converters list absent optional operands among the inputs.
TEST(SignatureRunner, AbsentInputsAreSkipped) {
  ModelBuilder b;
  AddSum(&b, nullptr);
  b.subgraph().inputs = {0, -1, 1};
  b.Signature("serve", {{"x", 0}, {"none", -1}, {"y", 1}}, {{"sum", 2}});
  LoadedRunner m(b);
  ASSERT_NE(m.interpreter, nullptr) << m.reporter.text;
  EXPECT_THAT(m.interpreter->inputs(), ElementsAre(0, -1, 1));
  EXPECT_EQ(m.interpreter->input_tensor(1), nullptr);
  EXPECT_EQ(m.interpreter->GetInputName(1), nullptr);
  tflite::SignatureRunner* runner = m.interpreter->GetSignatureRunner("serve");
  ASSERT_NE(runner, nullptr);
  EXPECT_EQ(runner->input_tensor("none"), nullptr);
  EXPECT_EQ(runner->ResizeInputTensor("none", {2}), kTfLiteError);
  EXPECT_EQ(m.interpreter->ResizeInputTensor(-1, {2}), kTfLiteError);
  ASSERT_EQ(runner->AllocateTensors(), kTfLiteOk);
  runner->input_tensor("x")->data.f[1] = 2;
  runner->input_tensor("y")->data.f[1] = 3;
  ASSERT_EQ(runner->Invoke(), kTfLiteOk);
  EXPECT_EQ(runner->output_tensor("sum")->data.f[1], 5);
  EXPECT_EQ(runner->ClearCustomAllocations(), kTfLiteOk);
}

TEST(SignatureRunner, PlaceholderSkipsAbsentInputs) {
  ModelBuilder b;
  AddSum(&b, nullptr);
  b.subgraph().inputs = {0, -1, 1};
  LoadedRunner m(b);
  ASSERT_NE(m.interpreter, nullptr) << m.reporter.text;
  tflite::SignatureRunner* runner = m.interpreter->GetSignatureRunner(nullptr);
  ASSERT_NE(runner, nullptr);
  EXPECT_THAT(runner->subgraph_input_names(), ElementsAre(StrEq("tx"), StrEq("ty")));
}

TEST(SignatureRunner, UnknownNames) {
  ModelBuilder b;
  AddSum(&b, "serve");
  LoadedRunner m(b);
  ASSERT_NE(m.interpreter, nullptr) << m.reporter.text;
  tflite::SignatureRunner* runner = m.interpreter->GetSignatureRunner("serve");
  EXPECT_EQ(runner->input_tensor("nope"), nullptr);
  EXPECT_TRUE(m.reporter.Has("Input name nope was not found"));
  EXPECT_EQ(runner->output_tensor("nope"), nullptr);
  EXPECT_TRUE(m.reporter.Has("Output name nope was not found"));
  EXPECT_EQ(runner->input_tensor(nullptr), nullptr);
  EXPECT_EQ(runner->ResizeInputTensor("nope", {1}), kTfLiteError);
  EXPECT_EQ(runner->Cancel(), kTfLiteError);
  EXPECT_TRUE(m.interpreter->signature_inputs("nope").empty());
  EXPECT_TRUE(m.interpreter->signature_outputs(nullptr).empty());
  EXPECT_EQ(m.interpreter->GetSubgraphIndexFromSignature("nope"), -1);
  EXPECT_EQ(m.interpreter->input_tensor_by_signature("a", "nope"), nullptr);
  EXPECT_EQ(m.interpreter->input_tensor_by_signature("nope", "serve"), nullptr);
  EXPECT_EQ(m.interpreter->input_tensor_by_signature("a", "serve"), m.interpreter->tensor(1));
  EXPECT_EQ(m.interpreter->output_tensor_by_signature("sum", "serve"), m.interpreter->tensor(2));
}

TEST(SignatureRunner, NullKeyWithoutSignatures) {
  ModelBuilder b;
  AddSum(&b, nullptr);
  b.tensor(1).name = "";
  LoadedRunner m(b);
  ASSERT_NE(m.interpreter, nullptr) << m.reporter.text;
  tflite::SignatureRunner* runner = m.interpreter->GetSignatureRunner(nullptr);
  ASSERT_NE(runner, nullptr);
  EXPECT_EQ(m.interpreter->GetSignatureRunner(nullptr), runner);
  EXPECT_THAT(runner->subgraph_input_names(), ElementsAre(StrEq("tx"), StrEq("input1")));
  EXPECT_THAT(runner->output_names(), ElementsAre(StrEq("tsum")));
}

TEST(SignatureRunner, NullKeyWithSignatures) {
  ModelBuilder b;
  AddSum(&b, nullptr);
  b.AddSubgraph("second");
  AddSum(&b, "second");
  {
    LoadedRunner m(b);
    ASSERT_NE(m.interpreter, nullptr) << m.reporter.text;
    EXPECT_EQ(m.interpreter->GetSignatureRunner(nullptr), nullptr);
    EXPECT_TRUE(m.reporter.Has(
        "The model has signature def but none of those points to primary subgraph."));
    // The other graph runs through its own signature.
    tflite::SignatureRunner* runner = m.interpreter->GetSignatureRunner("second");
    ASSERT_NE(runner, nullptr);
    EXPECT_EQ(m.interpreter->GetSubgraphIndexFromSignature("second"), 1);
    ASSERT_EQ(runner->AllocateTensors(), kTfLiteOk);
    runner->input_tensor("a")->data.f[1] = 2;
    runner->input_tensor("b")->data.f[1] = 3;
    ASSERT_EQ(runner->Invoke(), kTfLiteOk);
    EXPECT_EQ(runner->output_tensor("sum")->data.f[1], 5);
  }
  b.SelectSubgraph(0);
  b.Signature("first", {{"p", 0}, {"q", 1}}, {{"r", 2}});
  LoadedRunner m(b);
  ASSERT_NE(m.interpreter, nullptr) << m.reporter.text;
  tflite::SignatureRunner* runner = m.interpreter->GetSignatureRunner(nullptr);
  ASSERT_NE(runner, nullptr);
  EXPECT_EQ(runner->signature_key(), "first");
  EXPECT_EQ(runner, m.interpreter->GetSignatureRunner("first"));
}

TEST(SignatureRunner, CustomMemoryCanBeTakenBack) {
  alignas(64) float memory[16] = {5, 6};
  alignas(64) float result[16] = {};
  ModelBuilder b;
  AddSum(&b, "serve");
  LoadedRunner m(b);
  ASSERT_NE(m.interpreter, nullptr) << m.reporter.text;
  tflite::SignatureRunner* runner = m.interpreter->GetSignatureRunner("serve");
  ASSERT_EQ(runner->SetCustomAllocationForInputTensor("a", {memory, sizeof(memory)}), kTfLiteOk);
  ASSERT_EQ(runner->SetCustomAllocationForOutputTensor("sum", {result, sizeof(result)}), kTfLiteOk);
  EXPECT_EQ(runner->SetCustomAllocationForInputTensor("nope", {memory, 64}), kTfLiteError);
  ASSERT_EQ(runner->AllocateTensors(), kTfLiteOk);
  runner->input_tensor("b")->data.f[0] = runner->input_tensor("b")->data.f[1] = 1;
  ASSERT_EQ(runner->Invoke(), kTfLiteOk);
  EXPECT_EQ(result[1], 7);
  ASSERT_EQ(runner->ClearCustomAllocations(), kTfLiteOk);
  EXPECT_EQ(runner->Invoke(), kTfLiteError);
  ASSERT_EQ(runner->AllocateTensors(), kTfLiteOk);
  EXPECT_NE(runner->input_tensor("a")->data.f, memory);
  EXPECT_NE(runner->input_tensor("a")->data.f, nullptr);
  EXPECT_EQ(runner->Invoke(), kTfLiteOk);
}

TEST(SignatureRunner, TensorNamesFromSignatures) {
  ModelBuilder b;
  AddSum(&b, "serve");
  tflite::InterpreterOptions options;
  options.SetUseSignatureTensorNames(true);
  LoadedRunner m(b, &options);
  ASSERT_NE(m.interpreter, nullptr) << m.reporter.text;
  EXPECT_STREQ(m.interpreter->GetInputName(0), "b");
  EXPECT_STREQ(m.interpreter->GetOutputName(0), "sum");
}

}  // namespace
}  // namespace tern
