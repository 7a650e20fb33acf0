// SPDX-License-Identifier: Apache-2.0
// Which parts of a graph are taken, and that any choice of nodes gives the CPU's results.
#include <utility>

#include "delegate/testing/delegate_test.h"
#include "delegate/testing/resizable_models.h"

namespace tern::delegate {
namespace {

using testing::Random;
using testing::ResizableModel;

class PartitionChoiceTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!gpu::OpenDevice(GetParam()).ok()) GTEST_SKIP() << "no " << GetParam() << " device here";
  }
  // Runs the model without these nodes on the GPU.
  void Check(const ResizableModel& model, const std::string& denied, int min_denied) {
    SCOPED_TRACE(model.name + " without " + denied);
    const Delegate delegate = PluginDelegate(
        {{"tern_backend", GetParam()}, {"tern_deny", denied}, {"max_delegated_partitions", "100"}});
    ASSERT_NE(delegate, nullptr) << PluginError();
    Session session(model.bytes);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    const nlohmann::json report = ReportOf(delegate);
    EXPECT_GE(static_cast<int>(report["refused"].size()), min_denied);
    EXPECT_EQ(report["delegated"], static_cast<int>(report["nodes"]) - report["refused"].size());
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(model.bytes), model.tolerance));
  }
};

TEST_P(PartitionChoiceTest, AnyChoiceGivesTheResultsOfTheCpu) {
  Random random(3);
  for (const ResizableModel& model : {testing::ConvNet(), testing::DecoderNet(),
                                      testing::MovementNet(), testing::QuantizedNet()}) {
    const int nodes = static_cast<int>(Session(model.bytes)->execution_plan().size());
    ASSERT_GT(nodes, 2);
    for (int node = 0; node < nodes; ++node) {
      ASSERT_NO_FATAL_FAILURE(Check(model, std::to_string(node), 1));
    }
    for (int round = 0; round < 6; ++round) {
      std::string half;
      int count = 0;
      for (int node = 0; node < nodes; ++node) {
        if (random() % 2 == 0) continue;
        half += (count++ == 0 ? "" : ",") + std::to_string(node);
      }
      ASSERT_NO_FATAL_FAILURE(Check(model, half, count));
    }
  }
}

// x -> CONV_2D -> OnlyOnCpu -> MEAN -> OnlyOnCpu -> three nodes that do next to nothing -> y
std::vector<uint8_t> UnevenModel() {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1, 32, 32, 16});
  std::vector<float> weights(16 * 9 * 16);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = 0.01f * static_cast<float>(i % 9);
  const int w = b.Const<float>({16, 3, 3, 16}, weights);
  const int bias = b.Const<float>({16}, std::vector<float>(16, 0.5f));
  tflite::Conv2DOptionsT conv;
  conv.stride_w = conv.stride_h = 1;
  const int y = b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, bias}, {b.Tensor({})}, conv);
  const int axes = b.Const<int32_t>({2}, {1, 2});
  const int sums =
      b.Op(tflite::BuiltinOperator_MEAN, {b.CustomOp("OnlyOnCpu", {y}, {b.Tensor({})}), axes},
           {b.Tensor({})}, tflite::ReducerOptionsT());
  int z = b.CustomOp("OnlyOnCpu", {sums}, {b.Tensor({})});
  for (int i = 0; i < 3; ++i) z = b.Op(tflite::BuiltinOperator_LOGISTIC, {z}, {b.Tensor({})});
  b.Output(z);
  return b.Finish();
}

TEST_P(PartitionChoiceTest, TheOnePartThatIsTakenIsTheOneThatSavesMost) {
  const std::vector<uint8_t> bytes = UnevenModel();
  const Delegate delegate = PluginDelegate({{"tern_backend", GetParam()}});
  ASSERT_NE(delegate, nullptr) << PluginError();
  Session session(bytes);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const nlohmann::json report = ReportOf(delegate);
  EXPECT_EQ(report["delegated"], 1);
  EXPECT_THAT(report["refused"].dump(), ::testing::Not(HasSubstr("CONV_2D")));
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(bytes), 1e-3f));
}

TEST_P(PartitionChoiceTest, PartsThatSaveTooLittleAreLeftOutOnDemand) {
  const std::vector<uint8_t> bytes = UnevenModel();
  const std::vector<float> expected = CpuResult(bytes);
  const std::pair<const char*, int> cases[] = {{"-1000000", 5}, {"0", 1}, {"1000000", 0}};
  for (const auto& [min, delegated] : cases) {
    const Delegate delegate = PluginDelegate({{"tern_backend", GetParam()},
                                              {"tern_least_gain_us", min},
                                              {"max_delegated_partitions", "100"}});
    ASSERT_NE(delegate, nullptr) << PluginError();
    Session session(bytes);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    const nlohmann::json report = ReportOf(delegate);
    EXPECT_EQ(report["delegated"], delegated) << min;
    const bool left_out = report["refused"].dump().find("saves too little") != std::string::npos;
    EXPECT_EQ(left_out, delegated != 5);
    EXPECT_THAT(session.Run(), CloseTo(expected, 1e-3f));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, PartitionChoiceTest, ::testing::Values("metal", "opencl"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tern::delegate
