// SPDX-License-Identifier: Apache-2.0
// Which backend a delegate ends on when drivers are missing or fail, what it says about it, and
// that nothing of the others stays behind. The drivers are the host backend under two names.
#include "delegate/engine.h"

#include <map>
#include <sstream>

#include "cpu/instruction_set.h"
#include "cpu/packed_cache.h"
#include "delegate/testing/delegate_test.h"
#include "gpu/testing/faulty_device.h"

namespace tern::delegate {
namespace {

using gpu::FaultyDevice;
using ::testing::ElementsAre;
using ::testing::Not;

constexpr int64_t kClOnly = TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY;
constexpr int64_t kGlOnly = TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY;
#ifdef TERN_WITH_VULKAN
constexpr bool kVulkanIsNext = true;  // behind the two that these tests have
#else
constexpr bool kVulkanIsNext = false;
#endif
const char* const kNodesWithExp = "exp(";  // the program text of LOGISTIC has it, no other's

// A convolution, which packs its weights.
std::vector<uint8_t> ConvModel() {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1, 8, 8, 4});
  std::vector<float> weights(16 * 3 * 3 * 4);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = 0.01f * static_cast<float>(i % 13);
  const int w = b.Const<float>({16, 3, 3, 4}, weights);
  const int bias = b.Const<float>({16}, std::vector<float>(16, 0.5f));
  tflite::Conv2DOptionsT options;
  options.stride_w = options.stride_h = 1;
  options.padding = tflite::Padding_SAME;
  b.Output(b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, bias}, {b.Tensor({1, 8, 8, 16})}, options));
  return b.Finish();
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  // Reports end with a line end of their own, for runtimes that join them.
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// A sentence about one more driver that there is none of.
std::string IfVulkanIsNext(const std::string& text) { return kVulkanIsNext ? text : ""; }

class EngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<gpu::OpenedDevice> host = gpu::OpenDevice("host");
    if (!host.ok()) GTEST_SKIP() << "no host device here";
    for (const char* name : {"opencl", "gles"}) {
      auto device = std::make_shared<FaultyDevice>(host->device);
      // An API of its own in each test, because some lines come once per API.
      device->own_info().api = StrCat(name, " of ", TestName());
      drivers_[name] = device;
    }
  }

  static std::string TestName() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  FaultyDevice& Driver(const std::string& name) { return *drivers_.at(name); }
  void Remove(const std::string& name) { drivers_.erase(name); }

  EngineChoice::Opener Opener() {
    return [this](const std::string& name) -> absl::StatusOr<gpu::OpenedDevice> {
      asked_for_.push_back(name);
      const auto found = drivers_.find(name);
      if (found == drivers_.end()) return Unavailable("no ", name, " driver");
      return Opened(found->second);
    };
  }
  Delegate Make(const DelegateOptions& options) { return DelegateOver(options, Opener()); }
  Delegate Make(int64_t flags = 0, int partitions = 2) {
    DelegateOptions options = DefaultOptions();
    options.documented.experimental_flags = flags;
    options.documented.max_delegated_partitions = partitions;
    return Make(options);
  }

  // Applies a delegate and returns the lines on standard error, those of the runtime included.
  std::vector<std::string> LinesOfApply(const Delegate& delegate, Session* session) {
    ::testing::internal::CaptureStderr();
    status_ = (*session)->ModifyGraphWithDelegate(delegate.get());
    return Lines(::testing::internal::GetCapturedStderr());
  }
  static Session Printing(std::vector<uint8_t> model) {
    return Session(std::move(model), tflite::DefaultErrorReporter());
  }

  std::map<std::string, std::shared_ptr<FaultyDevice>> drivers_;
  std::vector<std::string> asked_for_;  // every call of the opener
  TfLiteStatus status_ = kTfLiteError;
};

TEST_F(EngineTest, TheFirstBackendIsTakenAndTheSecondIsNotOpened) {
  const Delegate delegate = Make();
  EXPECT_EQ(ReportOf(delegate)["engine"], "");
  EXPECT_EQ(ReportOf(delegate)["choice"], "");
  Session session = Printing(ThreeOpModel());
  EXPECT_THAT(LinesOfApply(delegate, &session),
              ElementsAre("INFO: Initialized opencl of " + TestName() + "-based API.",
                          "INFO: Created 1 GPU delegate kernels."));
  EXPECT_EQ(ReportOf(delegate)["engine"], "opencl");
  EXPECT_EQ(ReportOf(delegate)["choice"], "opencl: first choice");
  EXPECT_THAT(asked_for_, ElementsAre("opencl"));
  // The line about the API comes once.
  const Delegate second = Make();
  Session other = Printing(ThreeOpModel());
  EXPECT_THAT(LinesOfApply(second, &other), ElementsAre("INFO: Created 1 GPU delegate kernels."));
}

TEST_F(EngineTest, WithoutOpenClOpenGlRuns) {
  Remove("opencl");
  const Delegate delegate = Make();
  Session session = Printing(ThreeOpModel());
  EXPECT_THAT(LinesOfApply(delegate, &session),
              ElementsAre("ERROR: no opencl driver", "ERROR: Falling back to OpenGL",
                          "INFO: Initialized gles of " + TestName() + "-based API.",
                          "INFO: Created 1 GPU delegate kernels."));
  EXPECT_EQ(status_, kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["engine"], "gles");
  EXPECT_EQ(ReportOf(delegate)["choice"], "gles: opencl failed (no opencl driver)");
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
  // The choice stands: no second try, no second line.
  Session second = Printing(ThreeOpModel());
  EXPECT_THAT(LinesOfApply(delegate, &second),
              ElementsAre("INFO: Created 2 GPU delegate kernels."));
  EXPECT_THAT(asked_for_, ElementsAre("opencl", "gles"));
}

TEST_F(EngineTest, OpenGlTakesOverWhereverOpenClFails) {
  for (const char* step : {"Compile", "CreateBuffer", "Record"}) {
    Driver("opencl").FailAlways(step);
    const Delegate delegate = Make();
    Session session = Printing(ThreeOpModel());
    const std::vector<std::string> lines = LinesOfApply(delegate, &session);
    EXPECT_EQ(status_, kTfLiteOk);
    ASSERT_GE(lines.size(), 3u);
    EXPECT_THAT(lines[0], HasSubstr("ERROR: "));
    EXPECT_THAT(lines[0], HasSubstr(StrCat(step, ": injected failure")));
    EXPECT_EQ(lines[1], "ERROR: Falling back to OpenGL");
    EXPECT_EQ(lines.back(), "INFO: Created 1 GPU delegate kernels.");
    EXPECT_EQ(ReportOf(delegate)["engine"], "gles");
    EXPECT_THAT(ReportOf(delegate)["choice"].get<std::string>(),
                ::testing::AllOf(HasSubstr("gles: opencl failed ("), HasSubstr(step)));
    EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
    EXPECT_THAT(ReportOf(delegate)["refused"], SizeIs(0));
    EXPECT_EQ(Driver("opencl").live_buffers(), 0) << step;
    EXPECT_GT(Driver("gles").live_buffers(), 0) << step;
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
  }
  EXPECT_EQ(Driver("gles").live_buffers(), 0);
  for (auto& [name, driver] : drivers_) EXPECT_EQ(driver.use_count(), 1) << name;
}

TEST_F(EngineTest, LimitsOfADeviceCountAsFailure) {
  Driver("opencl").own_info().max_buffers = 1;
  const Delegate delegate = Make();
  Session session = Printing(ThreeOpModel());
  const std::vector<std::string> lines = LinesOfApply(delegate, &session);
  ASSERT_GE(lines.size(), 2u);
  EXPECT_THAT(lines[0], HasSubstr("too many buffers"));
  EXPECT_EQ(lines[1], "ERROR: Falling back to OpenGL");
  EXPECT_EQ(ReportOf(delegate)["engine"], "gles");
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
}

TEST_F(EngineTest, TheOneThatTakesMoreNodesStays) {
  Driver("opencl").FailPrograms(kNodesWithExp);
  const Delegate delegate = Make();
  Session session(SplitModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["engine"], "gles");
  EXPECT_THAT(ReportOf(delegate)["choice"].get<std::string>(), Not(HasSubstr("more of the log")));
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
  EXPECT_EQ(Driver("opencl").live_buffers(), 0);
  EXPECT_TRUE(session.errors.Has("more of the log\n\nFalling back to OpenGL"));
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(SplitModel())));
}

TEST_F(EngineTest, OnATieTheFirstStays) {
  for (auto& [name, driver] : drivers_) driver->FailPrograms(kNodesWithExp);
  const Delegate delegate = Make();
  Session session(SplitModel());
  ::testing::internal::CaptureStderr();
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  const std::vector<std::string> lines = Lines(::testing::internal::GetCapturedStderr());
  EXPECT_EQ(ReportOf(delegate)["engine"], "opencl");
  EXPECT_EQ(ReportOf(delegate)["choice"],
            "opencl: first choice, and gles takes no more nodes" +
                IfVulkanIsNext(", and vulkan cannot be opened (no vulkan driver)"));
  EXPECT_LT(ReportOf(delegate)["delegated"], 3);
  EXPECT_EQ(Driver("gles").live_buffers(), 0);
  EXPECT_FALSE(session.errors.Has("Falling back"));
  // Only the one that stays says what it leaves out.
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& l) { return l.rfind("WARNING: GPU: ", 0) == 0; }),
            1);
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(SplitModel())));
}

#ifdef TERN_WITH_VULKAN
// All that follow are compared, until one takes everything.
TEST_F(EngineTest, TheThirdTakesOverWhereTheFirstTwoFail) {
  auto third = std::make_shared<FaultyDevice>(gpu::OpenDevice("host")->device);
  third->own_info().api = "vulkan of " + TestName();
  drivers_["vulkan"] = third;
  Driver("opencl").FailAlways("Compile");
  for (const bool opens : {true, false}) {
    opens ? Driver("gles").FailAlways("Record") : Remove("gles");
    const Delegate delegate = Make();
    Session session = Printing(ThreeOpModel());
    const std::vector<std::string> lines = LinesOfApply(delegate, &session);
    EXPECT_EQ(status_, kTfLiteOk);
    EXPECT_THAT(lines, ::testing::Contains("ERROR: Falling back to Vulkan"));
    EXPECT_EQ(ReportOf(delegate)["engine"], "vulkan");
    EXPECT_THAT(ReportOf(delegate)["choice"].get<std::string>(),
                HasSubstr("vulkan: opencl failed ("));
    EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
  }
}
#endif

TEST_F(EngineTest, AFailureWithoutASecondDriverLeavesTheNodesToTheCpu) {
  Driver("opencl").FailAlways("Compile");
  Remove("gles");
  const Delegate delegate = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["choice"],
            "opencl: first choice, and gles cannot be opened (no gles driver)" +
                IfVulkanIsNext(", and vulkan cannot be opened (no vulkan driver)"));
  EXPECT_EQ(ReportOf(delegate)["delegated"], 0);
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel()));
}

TEST_F(EngineTest, WithoutAnyDriverTheCpuRunsAsFastAsEver) {
  Session plain(ConvModel());
  const int64_t before = PackedCount();
  ASSERT_EQ(plain->AllocateTensors(), kTfLiteOk);
  const int64_t packed = PackedCount() - before;
  ASSERT_EQ(packed > 0, HasOptimizedKernels());
  const std::vector<float> expected = plain.Run();
  EXPECT_EQ(PackedCount() - before, packed);

  Remove("opencl");
  Remove("gles");
  const Delegate delegate = Make();
  Session session = Printing(ConvModel());
  const std::vector<int> plan = session->execution_plan();
  const int64_t then = PackedCount();
  std::vector<std::string> lines = {"ERROR: no opencl driver", "ERROR: Falling back to OpenGL"};
  if (kVulkanIsNext) {
    lines.insert(lines.end(), {"ERROR: no gles driver", "ERROR: Falling back to Vulkan"});
  }
  lines.insert(
      lines.end(),
      {StrCat("ERROR: TfLiteGpuDelegate Init: no ", kVulkanIsNext ? "vulkan" : "gles", " driver"),
       "INFO: Created 0 GPU delegate kernels.",
       "ERROR: TfLiteGpuDelegate Prepare: delegate is not initialized",
       "WARNING: GPU: the graph stays on the CPU",
       "ERROR: Restored original execution plan after delegate application failure."});
  EXPECT_EQ(LinesOfApply(delegate, &session), lines);
  EXPECT_EQ(status_, kTfLiteDelegateError);
  EXPECT_EQ(session->execution_plan(), plan);
  ASSERT_NE(session->typed_input_tensor<float>(0), nullptr);
  EXPECT_EQ(session.Run(), expected);
  EXPECT_EQ(PackedCount() - then, packed);
  EXPECT_EQ(ReportOf(delegate)["engine"], "");
  EXPECT_EQ(ReportOf(delegate)["choice"],
            "none: opencl failed (no opencl driver), gles failed (no gles driver)" +
                IfVulkanIsNext(", vulkan failed (no vulkan driver)"));
}

TEST_F(EngineTest, NothingIsPackedForNodesThatTheDelegateTakes) {
  const Delegate delegate = Make();
  Session session(ConvModel());
  const int64_t before = PackedCount();
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["delegated"], 1);
  session.Run();
  EXPECT_EQ(PackedCount(), before);
}

TEST_F(EngineTest, AFlagKeepsFromFallingBack) {
  Remove("opencl");
  for (const int64_t flags : {kClOnly, kClOnly | kGlOnly}) {
    asked_for_.clear();
    const Delegate delegate = Make(flags);
    Session session = Printing(ThreeOpModel());
    const std::vector<std::string> lines = LinesOfApply(delegate, &session);
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines[0], "ERROR: TfLiteGpuDelegate Init: no opencl driver");
    EXPECT_THAT(lines, Not(::testing::Contains(HasSubstr("Falling back"))));
    EXPECT_EQ(status_, kTfLiteDelegateError);
    EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel()));
    EXPECT_THAT(asked_for_, ElementsAre("opencl"));
  }
}

TEST_F(EngineTest, AFlagKeepsAFailingCompilerToo) {
  Driver("opencl").FailAlways("Compile");
  const Delegate delegate = Make(kClOnly);
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["choice"], "opencl: asked for by CL_ONLY");
  EXPECT_EQ(ReportOf(delegate)["delegated"], 0);
  EXPECT_THAT(asked_for_, ElementsAre("opencl"));
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel()));
}

TEST_F(EngineTest, GlOnlyNeverAsksForOpenCl) {
  const Delegate delegate = Make(kGlOnly);
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["engine"], "gles");
  EXPECT_EQ(ReportOf(delegate)["choice"], "gles: asked for by GL_ONLY");
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
  EXPECT_THAT(asked_for_, ElementsAre("gles"));
}

TEST_F(EngineTest, ANamedBackendIsExactlyThatOne) {
  for (const char* name : {"opencl", "gles"}) {
    const std::shared_ptr<FaultyDevice> driver = drivers_.at(name);
    asked_for_.clear();
    DelegateOptions options = DefaultOptions();
    options.backend = name;
    Remove(name);
    EXPECT_FALSE(DelegateCore(options, Opener()).OpenBackend().ok());
    drivers_[name] = driver;
    driver->FailAlways("Compile");
    const Delegate delegate = Make(options);
    Session session(ThreeOpModel());
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    EXPECT_EQ(ReportOf(delegate)["choice"], StrCat(name, ": asked for by tern_backend"));
    EXPECT_EQ(ReportOf(delegate)["delegated"], 0);
    EXPECT_THAT(asked_for_, ElementsAre(name, name));
  }
}

TEST_F(EngineTest, AnUnknownNameIsToldWithItsKey) {
  DelegateOptions options = DefaultOptions();
  options.backend = "toaster";
  EXPECT_THAT(std::string(DelegateCore(options).OpenBackend().message()),
              HasSubstr("tern_backend: this build has no backend 'toaster' (it has "));
}

TEST_F(EngineTest, OnceItHasWorkedABackendStays) {
  const Delegate delegate = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  Driver("opencl").FailAlways("CreateBuffer");
  Session second(SplitModel());
  ASSERT_EQ(second->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["engine"], "opencl");
  EXPECT_EQ(ReportOf(delegate)["choice"], "opencl: first choice");
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
  EXPECT_THAT(asked_for_, ElementsAre("opencl"));
  EXPECT_EQ(second.Run(), CpuResult(SplitModel()));
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
}

TEST_F(EngineTest, ALostDeviceIsOpenedAgain) {
  const Delegate delegate = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  Driver("opencl").Lose();
  EXPECT_THAT(session.Run(), SizeIs(0));
  EXPECT_TRUE(session.errors.Has("TfLiteGpuDelegate Invoke: the device is lost"));
  // As long as the driver has no other one the CPU runs.
  Session second(ThreeOpModel());
  ASSERT_EQ(second->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_THAT(second->execution_plan(), SizeIs(3));
  EXPECT_EQ(second.Run(), CpuResult(ThreeOpModel()));
  auto next = std::make_shared<FaultyDevice>(gpu::OpenDevice("host")->device);
  drivers_["opencl"] = next;
  const std::vector<int> shape = {1, 2, 2, 3};
  for (Session* s : {&session, &second}) {
    ASSERT_EQ((*s)->ResizeInputTensor((*s)->inputs()[0], shape), kTfLiteOk);
    ASSERT_EQ((*s)->AllocateTensors(), kTfLiteOk);
    EXPECT_THAT((*s)->execution_plan(), SizeIs(1));
    EXPECT_THAT(s->Run(), CloseTo(CpuResult(ThreeOpModel(), shape)));
  }
  EXPECT_GT(next->live_buffers(), 0);
  EXPECT_EQ(ReportOf(delegate)["engine"], "opencl");
}

TEST_F(EngineTest, AGraphWithNothingForTheGpuDecidesNothing) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1, 8});
  b.Output(b.CustomOp("OnlyOnCpu", {x}, {b.Tensor({1, 8})}));
  const Delegate delegate = Make();
  Session nothing(b.Finish());
  ASSERT_EQ(nothing->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  Driver("opencl").FailAlways("Compile");
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["engine"], "gles");
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
}

TEST_F(EngineTest, ABackendOpenedBeforeAnyGraphMayStillFail) {
  Driver("opencl").FailAlways("Compile");
  const auto core = std::make_shared<DelegateCore>(DefaultOptions(), Opener());
  ASSERT_TRUE(core->OpenBackend().ok());
  EXPECT_THAT(core->Report(), HasSubstr("opencl: first choice"));
  const Delegate delegate(CreateDelegate(core), DeleteDelegate);
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["engine"], "gles");
}

TEST_F(EngineTest, AnErrorBeforeAnyGraphNamesAllReasons) {
  Remove("opencl");
  Remove("gles");
  DelegateCore core(DefaultOptions(), Opener());
  ::testing::internal::CaptureStderr();
  const absl::Status status = core.OpenBackend();
  std::vector<std::string> lines = {"ERROR: no opencl driver", "ERROR: Falling back to OpenGL"};
  if (kVulkanIsNext) {
    lines.insert(lines.end(), {"ERROR: no gles driver", "ERROR: Falling back to Vulkan"});
  }
  EXPECT_EQ(Lines(::testing::internal::GetCapturedStderr()), lines);
  EXPECT_EQ(Message(status), "no usable GPU (opencl: no opencl driver; gles: no gles driver" +
                                 IfVulkanIsNext("; vulkan: no vulkan driver") + ")");
}

}  // namespace
}  // namespace tern::delegate
