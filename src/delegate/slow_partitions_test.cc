// SPDX-License-Identifier: Apache-2.0
// Parts that are measured to be slower on the GPU go back to the CPU, once.
#include "tensorflow/lite/delegates/gpu/slow_partitions.h"

#include <chrono>
#include <thread>

#include "delegate/testing/delegate_test.h"
#include "gpu/testing/faulty_device.h"
#include "tensorflow/lite/delegates/gpu/decisions.h"

namespace tern::delegate {
namespace {

using gpu::FaultyDevice;

// Slower than any processor with so small a graph.
std::shared_ptr<FaultyDevice> SlowDevice(const gpu::OpenedDevice& opened) {
  auto device = std::make_shared<FaultyDevice>(opened.device);
  device->OnSubmit([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  return device;
}

DelegateOptions AllParts() {
  DelegateOptions options = DefaultOptions();
  options.documented.max_delegated_partitions = 10;
  return options;
}

class SlowPartitions : public ::testing::Test {
 protected:
  void SetUp() override {
    opened_ = gpu::OpenDevice("host");
    if (!opened_.ok()) GTEST_SKIP() << "no host device here";
    delegate_ = DelegateOver(AllParts(), Opened(SlowDevice(*opened_)));
    ASSERT_EQ(session_->ModifyGraphWithDelegate(delegate_.get()), kTfLiteOk);
    ASSERT_EQ(session_->AllocateTensors(), kTfLiteOk);
    ASSERT_EQ(ReportOf(delegate_)["partitions"], 2);
    expected_ = CpuResult(SplitModel());
    ASSERT_THAT(session_.Run(), CloseTo(expected_));
  }

  absl::StatusOr<gpu::OpenedDevice> opened_ = absl::UnknownError("");
  Delegate delegate_{nullptr, nullptr};
  Session session_{SplitModel()};
  std::vector<float> expected_;
};

TEST_F(SlowPartitions, GoBackToTheCpu) {
  std::vector<PartitionTimes> measured;
  ::testing::internal::CaptureStderr();
  ASSERT_EQ(DropSlowGpuPartitions(session_.interpreter.get(), delegate_.get(), 2, &measured),
            kTfLiteOk);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("on the CPU, where they stay from now on"));
  ASSERT_EQ(measured.size(), 2u);
  for (const PartitionTimes& part : measured) {
    EXPECT_GE(part.delegate_us, 20000);
    EXPECT_LT(part.cpu_us, 20000);
  }
  EXPECT_EQ(session_->GetProfiler(), nullptr);  // later runs are not timed
  EXPECT_EQ(ReportOf(delegate_)["partitions"], 0);
  for (const GpuNodeDecision& node : GpuDecisions(delegate_.get())) {
    EXPECT_EQ(node.decision, kTfLiteGpuDecisionCpu);
    EXPECT_EQ(node.code, node.op == "OnlyOnCpu" ? "no-gpu-form" : "measured-slower") << node.op;
  }
  // The inputs are still there.
  ASSERT_EQ(session_->Invoke(), kTfLiteOk);
  const TfLiteTensor* output = session_->output_tensor(0);
  EXPECT_FLOAT_EQ(output->data.f[0], expected_[0]);
  EXPECT_THAT(session_.Run(), CloseTo(expected_));
}

TEST_F(SlowPartitions, OthersStay) {
  const auto then = [&](const std::vector<PartitionTimes>& parts) {
    const PartitionTimes& first = parts.front();
    EXPECT_EQ(
        TfLiteGpuDelegateV2LeaveToCpu(delegate_.get(), first.nodes.data(), first.nodes.size()),
        kTfLiteOk);
    return session_->ModifyGraphWithDelegate(delegate_.get());
  };
  ASSERT_EQ(MeasurePartitions(session_.interpreter.get(), 1, then), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate_)["partitions"], 1);
  EXPECT_THAT(session_.Run(), CloseTo(expected_));
}

TEST_F(SlowPartitions, BadArguments) {
  const auto then = [](const std::vector<PartitionTimes>&) { return kTfLiteError; };
  tflite::Interpreter* const interpreter = session_.interpreter.get();
  EXPECT_EQ(MeasurePartitions(nullptr, 1, then), kTfLiteApplicationError);
  EXPECT_EQ(MeasurePartitions(interpreter, 0, then), kTfLiteApplicationError);
  EXPECT_EQ(MeasurePartitions(interpreter, 1001, then), kTfLiteApplicationError);
  EXPECT_EQ(MeasurePartitions(interpreter, 1, nullptr), kTfLiteApplicationError);
  EXPECT_EQ(MeasurePartitions(interpreter, 1, then), kTfLiteError);
  EXPECT_EQ(TfLiteGpuDelegateV2LeaveToCpu(nullptr, nullptr, 0), kTfLiteError);
  EXPECT_EQ(TfLiteGpuDelegateV2LeaveToCpu(delegate_.get(), nullptr, 1), kTfLiteError);
  EXPECT_EQ(TfLiteGpuDelegateV2LeaveToCpu(delegate_.get(), nullptr, 0), kTfLiteOk);
}

}  // namespace
}  // namespace tern::delegate
