// SPDX-License-Identifier: Apache-2.0
// Variables that nodes only read: inputs whose memory keeps what was written to it.
#include "delegate/states.h"

#include "delegate/testing/delegate_test.h"

namespace tern::delegate {
namespace {

constexpr int kVariable = 1;

// x + variable, and the variable negated where another node reads it, too.
std::vector<uint8_t> ReadsVariable(bool twice) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({4}), variable = b.Variable({4});
  EXPECT_EQ(variable, kVariable);
  b.Output(
      b.Op(tflite::BuiltinOperator_ADD, {x, variable}, {b.Tensor({4})}, tflite::AddOptionsT()));
  if (twice) b.Output(b.Op(tflite::BuiltinOperator_NEG, {variable}, {b.Tensor({4})}));
  return b.Finish();
}

class ReadVariablesTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ReadVariablesTest, AreReadInEveryRun) {
  for (const bool twice : {false, true}) {
    const Delegate delegate =
        PluginDelegate({{"tern_backend", GetParam()}, {"tern_precision", "f32"}});
    ASSERT_NE(delegate, nullptr);
    Session session(ReadsVariable(twice)), cpu(ReadsVariable(twice));
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
    ASSERT_EQ(cpu->AllocateTensors(), kTfLiteOk);
    EXPECT_EQ(ReportOf(delegate)["delegated"], twice ? 2 : 1) << ReportOf(delegate);
    EXPECT_EQ(session.Run(), cpu.Run());  // zeros at first
    for (const float value : {3.0f, -7.5f}) {
      for (Session* one : {&session, &cpu})
        std::fill_n((*one)->typed_tensor<float>(kVariable), 4, value);
      const std::vector<float> result = session.Run();
      EXPECT_EQ(result, cpu.Run());
      EXPECT_NE(result[0], 0);
    }
    for (Session* one : {&session, &cpu}) EXPECT_EQ((*one)->ResetVariableTensors(), kTfLiteOk);
    EXPECT_EQ(session.Run(), cpu.Run());
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, ReadVariablesTest, ::testing::ValuesIn(BackendsAtHand()));

}  // namespace
}  // namespace tern::delegate
