// SPDX-License-Identifier: Apache-2.0
// Delegates that measure: what the report says, what is saved, and that results stay as they are.
#include "gpu/partition/plan_tuner.h"

#include <chrono>
#include <map>
#include <thread>

#include "base/testing/scratch_cache.h"
#include "delegate/testing/delegate_test.h"
#include "delegate/testing/resizable_models.h"
#include "delegate/testing/text_driver.h"

namespace tern::delegate {
namespace {

using testing::ResizableModel;
using testing::TextDriver;

// Whose launches take half the time in groups of 16.
class TimedDriver : public TextDriver {
 public:
  using TextDriver::TextDriver;
  int timed_runs() const { return timed_runs_; }
  void TellNoTimes() { tells_ = false; }
  void BuildSlowly() { slow_ = true; }

  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Compile(
      const gpu::ProgramSource& source) override {
    if (slow_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return TextDriver::Compile(source);
  }

  absl::StatusOr<std::unique_ptr<gpu::Commands>> Record(
      const std::vector<gpu::Launch>& launches) override {
    TERN_ASSIGN_OR_RETURN(std::unique_ptr<gpu::Commands> commands, TextDriver::Record(launches));
    std::vector<gpu::LaunchTime>& times = times_[commands.get()];
    times.clear();
    for (const gpu::Launch& launch : launches) {
      const int items = launch.group[0] * launch.group[1] * launch.group[2];
      times.push_back({0, items == 16 ? 500 : 1000});
    }
    return commands;
  }
  absl::StatusOr<std::vector<gpu::LaunchTime>> RunTimed(gpu::Commands& commands) override {
    if (!tells_) return TextDriver::RunTimed(commands);
    ++timed_runs_;
    TERN_RETURN_IF_ERROR(Submit(commands));
    TERN_RETURN_IF_ERROR(Wait());
    return times_.at(&commands);
  }

 private:
  bool tells_ = true, slow_ = false;
  int timed_runs_ = 0;
  std::map<const gpu::Commands*, std::vector<gpu::LaunchTime>> times_;
};

class PlanTunerTest : public tern::cache_testing::ScratchCache {
 protected:
  void SetUp() override {
    if (!gpu::OpenDevice("host").ok()) GTEST_SKIP() << "no host device here";
  }

  static std::shared_ptr<TimedDriver> Driver() {
    return std::make_shared<TimedDriver>(gpu::OpenDevice("host")->device, 1);
  }

  // Enough time for all variations.
  static DelegateOptions Sustained() {
    DelegateOptions options = DefaultOptions();
    options.documented.inference_priority1 = TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION;
    options.documented.inference_preference = TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED;
    options.documented.max_delegated_partitions = 4;
    options.tuning_ms = 100'000;
    return options;
  }

  DelegateOptions Saved() const {
    DelegateOptions options = Sustained();
    options.documented.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;
    options.serialization_dir = folder();
    options.model_token = "model";
    return options;
  }

  struct Start {
    nlohmann::json report;
    std::vector<float> result;
  };
  static Start Begin(const std::shared_ptr<TimedDriver>& driver, const DelegateOptions& options,
                     const std::vector<uint8_t>& model) {
    const Delegate delegate = DelegateOver(options, Opened(driver));
    Session session(model);
    EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    EXPECT_EQ(session->AllocateTensors(), kTfLiteOk);
    Start start;
    start.result = session.Run();
    start.report = ReportOf(delegate);
    return start;
  }
};

TEST_F(PlanTunerTest, MeasuresWhereManyRunsAreAskedFor) {
  const auto driver = Driver();
  const Start start = Begin(driver, Sustained(), ThreeOpModel());
  EXPECT_THAT(start.result, CloseTo(CpuResult(ThreeOpModel())));
  EXPECT_GT(driver->timed_runs(), 0);
  ASSERT_EQ(start.report["tuning"].size(), 1u) << start.report;
  const nlohmann::json& tuning = start.report["tuning"][0];
  EXPECT_EQ(tuning["from"], "measured");
  EXPECT_GT(tuning["tuned"], 0);
  EXPECT_FALSE(tuning["out_of_time"]);
  EXPECT_LT(tuning["after_ns"], tuning["before_ns"]);
  ASSERT_GT(tuning["kinds"].size(), 0u);
  const nlohmann::json& kind = tuning["kinds"][0];
  EXPECT_EQ(kind["choice"], "group items 16");
  EXPECT_GT(kind["trials"].size(), 0u);
  EXPECT_GT(start.report["init"]["tune_us"], 0);
}

TEST_F(PlanTunerTest, MeasuresNothingUnlessAsked) {
  DelegateOptions options = Sustained();
  options.documented.inference_preference = TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER;
  options.tuning_ms = std::nullopt;
  const auto driver = Driver();
  const Start start = Begin(driver, options, ThreeOpModel());
  EXPECT_EQ(driver->timed_runs(), 0);
  EXPECT_FALSE(start.report.contains("tuning"));
  DelegateOptions planned = Sustained();
  planned.plan_only = true;
  EXPECT_FALSE(Begin(driver, planned, ThreeOpModel()).report.contains("tuning"));
  EXPECT_EQ(driver->timed_runs(), 0);
}

TEST_F(PlanTunerTest, ChoicesAndProgramsAreSaved) {
  const std::vector<uint8_t> model = ThreeOpModel();
  const Start first = Begin(Driver(), Saved(), model);
  EXPECT_EQ(first.report["tuning"][0]["from"], "measured");
  EXPECT_EQ(CountFiles(), 2u);  // the tuning parameters, and the plan with them
  const auto driver = Driver();
  const Start second = Begin(driver, Saved(), model);
  EXPECT_EQ(driver->timed_runs(), 0);
  EXPECT_EQ(driver->compiles(), 0);
  EXPECT_EQ(second.report["tuning"][0]["from"], "saved");
  EXPECT_EQ(second.report["tuning"][0]["tuned"], first.report["tuning"][0]["tuned"]);
  EXPECT_EQ(second.report["plans_loaded"], 1);
  EXPECT_EQ(second.result, first.result);
}

// A bit anywhere in the files: measured again, or not, but right.
TEST_F(PlanTunerTest, DamagedFilesCostAMeasurement) {
  const std::vector<uint8_t> model = ThreeOpModel();
  const Start first = Begin(Driver(), Saved(), model);
  std::mt19937 random(2);
  for (int round = 0; round < 40; ++round) {
    for (const auto& file : std::filesystem::directory_iterator(folder())) {
      tern::cache_testing::Bytes bytes = tern::cache_testing::ReadBytes(file.path());
      bytes[random() % bytes.size()] ^= static_cast<uint8_t>(1u << random() % 8);
      tern::cache_testing::WriteBytes(file.path(), bytes);
    }
    EXPECT_EQ(Begin(Driver(), Saved(), model).result, first.result);
  }
}

TEST_F(PlanTunerTest, ADriverWithoutTimesLeavesTheDevicesChoices) {
  const auto driver = Driver();
  driver->TellNoTimes();
  ::testing::internal::CaptureStderr();
  const Start start = Begin(driver, Sustained(), ThreeOpModel());
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("nothing is tuned: the driver tells no times of launches"));
  EXPECT_THAT(start.report["tuning"][0]["failure"], HasSubstr("tells no times"));
  EXPECT_THAT(start.result, CloseTo(CpuResult(ThreeOpModel())));
}

TEST_F(PlanTunerTest, EachPartIsMeasured) {
  const Start start = Begin(Driver(), Sustained(), SplitModel());
  EXPECT_EQ(start.report["partitions"], 2);
  EXPECT_EQ(start.report["tuning"].size(), 2u);
  EXPECT_THAT(start.result, CloseTo(CpuResult(SplitModel())));
}

// The first part takes more than there is: its programs alone do.
TEST_F(PlanTunerTest, PartsShareTheTime) {
  DelegateOptions options = Sustained();
  options.tuning_ms = 1;
  const auto driver = Driver();
  driver->BuildSlowly();
  const Start start = Begin(driver, options, SplitModel());
  ASSERT_EQ(start.report["tuning"].size(), 2u);
  EXPECT_GT(start.report["tuning"][0]["kinds"].size(), 0u);
  EXPECT_EQ(start.report["tuning"][1]["kinds"].size(), 0u);
  for (const nlohmann::json& part : start.report["tuning"]) {
    EXPECT_TRUE(part["out_of_time"]);
    EXPECT_EQ(part["tuned"], 0);
  }
  EXPECT_THAT(start.result, CloseTo(CpuResult(SplitModel())));
}

TEST_F(PlanTunerTest, AResizedGraphKeepsItsChoices) {
  const ResizableModel model = testing::ConvNet();
  const auto driver = Driver();
  const Delegate delegate = DelegateOver(Sustained(), Opened(driver));
  Session session(model.bytes);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  const int runs = driver->timed_runs();
  EXPECT_GT(runs, 0);
  testing::Random random(3);
  for (int round = 0; round < 5; ++round) {
    const std::vector<int> shape = model.draw(random);
    ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], shape), kTfLiteOk);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
    EXPECT_EQ(driver->timed_runs(), runs);
    EXPECT_EQ(ReportOf(delegate)["tuning"][0]["from"], "earlier");
    Session cpu(model.bytes);
    ASSERT_EQ(cpu->ResizeInputTensor(cpu->inputs()[0], shape), kTfLiteOk);
    ASSERT_EQ(cpu->AllocateTensors(), kTfLiteOk);
    EXPECT_THAT(session.Run(), CloseTo(cpu.Run(), model.tolerance));
  }
}

}  // namespace
}  // namespace tern::delegate
