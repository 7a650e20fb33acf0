// SPDX-License-Identifier: Apache-2.0
// Variables that nodes on the GPU read and nobody replaces.
#include "delegate/testing/delegate_test.h"

namespace tern::delegate {
namespace {

using tern::testing::ModelBuilder;

// x - v and -v, with v as an input of the graph where `given`.
std::vector<uint8_t> ReadersOfVariable(bool given) {
  ModelBuilder b;
  const int x = b.Input({2, 3}), kept = b.Variable({2, 3});
  if (given) b.subgraph().inputs.push_back(kept);
  b.Output(b.Op(tflite::BuiltinOperator_SUB, {x, kept}, {b.Tensor({2, 3})}, tflite::SubOptionsT()));
  b.Output(b.Op(tflite::BuiltinOperator_NEG, {kept}, {b.Tensor({2, 3})}));
  return b.Finish();
}

class VariablesTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    opened_ = gpu::OpenDevice(GetParam());
    if (!opened_.ok()) GTEST_SKIP() << "no " << GetParam() << " device here";
  }
  Delegate Make() const { return DelegateOver(DefaultOptions(), Opened(opened_->device)); }

  absl::StatusOr<gpu::OpenedDevice> opened_ = absl::UnknownError("not opened");
};

int VariableOf(Session& session) {
  for (size_t i = 0; i < session->tensors_size(); ++i) {
    if (session->tensor(static_cast<int>(i))->is_variable) return static_cast<int>(i);
  }
  return -1;
}

void Fill(Session& session, int tensor, float first) {
  TfLiteTensor* t = session->tensor(tensor);
  for (size_t i = 0; i < t->bytes / sizeof(float); ++i)
    t->data.f[i] = first + static_cast<float>(i);
}

std::vector<float> Output(Session& session, size_t number) {
  const TfLiteTensor* out = session->output_tensor(number);
  return {out->data.f, out->data.f + out->bytes / sizeof(float)};
}

std::vector<float> RunOnce(Session& session) {
  EXPECT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
  return Output(session, 0);
}

// Runs read the last values that the application wrote, and zeros from a reset on; they change
// nothing.
TEST_P(VariablesTest, AreReadAtEachRun) {
  for (const bool given : {false, true}) {
    const Delegate delegate = Make();
    Session session(ReadersOfVariable(given));
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
    ASSERT_EQ(session->execution_plan().size(), 1U);
    const int kept = VariableOf(session);
    const int x = session->inputs()[0];
    Fill(session, x, 10);
    EXPECT_EQ(RunOnce(session), (std::vector<float>{10, 11, 12, 13, 14, 15}));
    Fill(session, kept, 2);
    for (int run = 0; run < 3; ++run) EXPECT_EQ(RunOnce(session), std::vector<float>(6, 8));
    Fill(session, kept, 3);
    EXPECT_EQ(RunOnce(session), std::vector<float>(6, 7));
    EXPECT_EQ(Output(session, 1), (std::vector<float>{-3, -4, -5, -6, -7, -8}));
    ASSERT_EQ(session->ResetVariableTensors(), kTfLiteOk);
    EXPECT_EQ(RunOnce(session), (std::vector<float>{10, 11, 12, 13, 14, 15}));
  }
}

// A resize gives variables zeros, too.
TEST_P(VariablesTest, ChangeTheirShapeWithTheInputs) {
  const Delegate delegate = Make();
  Session session(ReadersOfVariable(true));
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  for (const int rows : {3, 1}) {
    for (const int input : session->inputs())
      ASSERT_EQ(session->ResizeInputTensor(input, {rows, 3}), kTfLiteOk);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
    ASSERT_EQ(session->execution_plan().size(), 1U);
    const auto count = 3 * static_cast<size_t>(rows);
    Fill(session, session->inputs()[0], 5);
    Fill(session, session->inputs()[1], 1);
    EXPECT_EQ(RunOnce(session), std::vector<float>(count, 4));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, VariablesTest,
                         ::testing::Values("metal", "opencl", "gles", "vulkan"));

// Which of two values it would read depends on who runs first.
TEST(Variables, ThatAnotherNodeMayReplaceStayOnTheCpu) {
  ModelBuilder b;
  const int x = b.Input({4}), kept = b.Variable({4});
  b.Output(b.Op(tflite::BuiltinOperator_SUB, {x, kept}, {b.Tensor({4})}, tflite::SubOptionsT()));
  b.Output(b.CustomOp("OnlyOnCpu", {kept}, {b.Tensor({4})}));
  const auto opened = gpu::OpenDevice("host");
  ASSERT_TRUE(opened.ok());
  const Delegate delegate = DelegateOver(DefaultOptions(), Opened(opened->device));
  Session session(b.Finish());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_THAT(ReportOf(delegate).dump(), HasSubstr("is a variable that OnlyOnCpu #1 may replace"));
}

}  // namespace
}  // namespace tern::delegate
