// SPDX-License-Identifier: Apache-2.0
// The libraries throw nothing, but an operator of the application may: its exception passes through
// them to whoever called Invoke, from a subgraph, too.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

namespace tern {
namespace {

using testing::ModelBuilder;

bool throws = true;

TfLiteStatus ThrowOrSum(TfLiteContext* context, TfLiteNode* node) {
  if (throws) throw std::runtime_error("out of luck");
  return testing::SumInputs(context, node);
}

void ExpectThrownByInvoke(const ModelBuilder& builder) {
  const std::vector<uint8_t> bytes = builder.Finish();
  const auto model = tflite::FlatBufferModel::BuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size());
  ASSERT_NE(model, nullptr);
  TfLiteRegistration op = testing::AddOp("Luck");
  op.invoke = ThrowOrSum;
  tflite::ops::builtin::BuiltinOpResolver resolver;
  resolver.AddCustom("Luck", &op);
  std::unique_ptr<tflite::Interpreter> interpreter;
  ASSERT_EQ(tflite::InterpreterBuilder(*model, resolver)(&interpreter), kTfLiteOk);
  ASSERT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
  interpreter->typed_input_tensor<float>(0)[0] = 3;
  throws = true;
  try {
    interpreter->Invoke();
    ADD_FAILURE() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::string("out of luck"));
  }
  throws = false;
  EXPECT_EQ(interpreter->Invoke(), kTfLiteOk);
  EXPECT_EQ(interpreter->typed_output_tensor<float>(0)[0], 3);
}

int Luck(ModelBuilder& b, int x) { return b.CustomOp("Luck", {x}, {b.Tensor({2})}); }

TEST(Exceptions, OfAnOperatorReachTheCallerOfInvoke) {
  ModelBuilder b;
  b.Output(Luck(b, b.Input({2})));
  ExpectThrownByInvoke(b);
}

TEST(Exceptions, OfAnOperatorInABranchReachTheCallerOfInvoke) {
  ModelBuilder b;
  const int x = b.Input({2});
  const int condition = b.Const<bool>({1}, {true});
  tflite::IfOptionsT branches;
  branches.then_subgraph_index = 1;
  branches.else_subgraph_index = 1;
  b.Output(b.Op(tflite::BuiltinOperator_IF, {condition, x}, {b.Tensor({2})}, branches));
  b.AddSubgraph("lucky");
  b.Output(Luck(b, b.Input({2})));
  ExpectThrownByInvoke(b);
}

}  // namespace
}  // namespace tern
