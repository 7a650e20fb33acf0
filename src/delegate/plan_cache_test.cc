// SPDX-License-Identifier: Apache-2.0
// Starts from what an earlier one saved: what is built, what is not, and that no file makes a
// number wrong.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <string>

#include "base/testing/faulty_files.h"
#include "base/testing/scratch_cache.h"
#include "delegate/testing/delegate_test.h"
#include "delegate/testing/idle_device.h"
#include "delegate/testing/resizable_models.h"
#include "delegate/testing/text_driver.h"
#include "gpu/backends/null/null_device.h"
#include "gpu/device/saved_plan.h"

namespace tern::delegate {
namespace {

using tern::cache_testing::Bytes;
using tern::cache_testing::ReadBytes;
using tern::cache_testing::WriteBytes;
using testing::TextDriver;
namespace fs = std::filesystem;

// x -> CONV_2D 3x3 -> RELU6 -> y
std::vector<uint8_t> ConvModel(float weight) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1, 4, 4, 4});
  const int filter = b.Const<float>({4, 3, 3, 4}, std::vector<float>(144, weight));
  const int bias = b.Const<float>({4}, {0, 1, 2, 3});
  tflite::Conv2DOptionsT conv;
  conv.padding = tflite::Padding_SAME;
  conv.stride_w = conv.stride_h = 1;
  const int y = b.Op(tflite::BuiltinOperator_CONV_2D, {x, filter, bias}, {b.Tensor({1, 4, 4, 4})},
                     std::move(conv));
  b.Output(b.Op(tflite::BuiltinOperator_RELU6, {y}, {b.Tensor({1, 4, 4, 4})}));
  return b.Finish();
}

// x -> FULLY_CONNECTED -> FULLY_CONNECTED -> y, products with one number each.
std::vector<uint8_t> TwoProducts(float first, float second) {
  tern::testing::ModelBuilder b;
  int x = b.Input({3, 4});
  for (const float factor : {first, second}) {
    std::vector<float> weights(16);
    for (size_t i = 0; i < 4; ++i) weights[i * 5] = factor;
    const int w = b.Const<float>({4, 4}, weights);
    x = b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, -1}, {b.Tensor({3, 4})},
             tflite::FullyConnectedOptionsT());
  }
  b.Output(x);
  return b.Finish();
}

class PlanCacheTest : public tern::cache_testing::ScratchCache {
 protected:
  DelegateOptions Options(const std::string& token = "model") const {
    DelegateOptions options = DefaultOptions();
    options.documented.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;
    options.documented.inference_priority1 = TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION;
    options.documented.max_delegated_partitions = 4;
    options.serialization_dir = folder();
    options.model_token = token;
    return options;
  }

  struct Start {
    nlohmann::json report;
    std::vector<float> result;
    std::string log;
    int Of(const char* key) const { return report[key]; }
    size_t warnings() const {
      size_t count = 0;
      for (size_t at = log.find("serialization:"); at != std::string::npos;
           at = log.find("serialization:", at + 1)) {
        ++count;
      }
      return count;
    }
  };
  // One start of a process that knows nothing but the directory, and a run.
  Start Begin(const std::shared_ptr<gpu::Device>& device, const std::vector<uint8_t>& model,
              const DelegateOptions& options) const {
    Start start;
    ::testing::internal::CaptureStderr();
    {
      const Delegate delegate = DelegateOver(options, Opened(device));
      Session session(model);
      EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
      EXPECT_EQ(session->AllocateTensors(), kTfLiteOk);
      start.result = session.Run();
      start.report = ReportOf(delegate);
    }
    start.log = ::testing::internal::GetCapturedStderr();
    return start;
  }
  // Starts twice: the second start must print and build nothing.
  void ExpectWarm(const std::shared_ptr<gpu::Device>& device, const std::vector<uint8_t>& model) {
    const Start cold = Begin(device, model, Options());
    EXPECT_GT(cold.Of("texts_printed"), 0);
    EXPECT_GT(cold.Of("programs_compiled"), 0);
    EXPECT_EQ(cold.Of("plans_loaded"), 0);
    EXPECT_EQ(cold.warnings(), 0u) << cold.log;
    EXPECT_EQ(CountFiles(), static_cast<size_t>(cold.Of("partitions")));
    const Start warm = Begin(device, model, Options());
    EXPECT_EQ(warm.Of("texts_printed"), 0);
    EXPECT_EQ(warm.Of("programs_compiled"), 0);
    EXPECT_EQ(warm.Of("programs_loaded"), warm.Of("programs"));
    EXPECT_EQ(warm.Of("programs"), cold.Of("programs"));
    EXPECT_EQ(warm.Of("plans_loaded"), warm.Of("partitions"));
    EXPECT_EQ(warm.warnings(), 0u) << warm.log;
    EXPECT_EQ(warm.result, cold.result);
    EXPECT_THAT(warm.result, CloseTo(CpuResult(model), 1e-4f));
  }

  std::string OnlyFile() const {
    EXPECT_EQ(CountFiles(), 1u);
    return fs::directory_iterator(folder_)->path().string();
  }
};

// On each device that gives binaries; "host" as a driver that gives texts for them.
class PlanCacheDevices : public PlanCacheTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    const auto opened = gpu::OpenDevice(GetParam());
    if (!opened.ok()) GTEST_SKIP() << opened.status();
    device_ = opened->device;
    if (std::string(GetParam()) == "host") device_ = std::make_shared<TextDriver>(device_, 1);
  }
  std::shared_ptr<gpu::Device> device_;
};

TEST_P(PlanCacheDevices, AWarmStartPrintsAndBuildsNothing) {
  ExpectWarm(device_, ConvModel(0.125f));
}

TEST_P(PlanCacheDevices, EveryPartIsSaved) { ExpectWarm(device_, SplitModel()); }

TEST_P(PlanCacheDevices, EveryShapeIsSaved) {
  const std::vector<uint8_t> model = testing::ElementwiseNet().bytes;
  const std::vector<int> shapes[] = {{2, 5, 12}, {1, 3, 12}, {2, 5, 12}};
  for (const bool warm : {false, true}) {
    const Delegate delegate = DelegateOver(Options(), Opened(device_));
    Session session(model);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    for (const std::vector<int>& shape : shapes) {
      ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], shape), kTfLiteOk);
      ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
      EXPECT_THAT(session.Run(), CloseTo(CpuResult(model, shape), 1e-4f));
      if (warm) {
        EXPECT_EQ(ReportOf(delegate)["texts_printed"], 0);
        EXPECT_EQ(ReportOf(delegate)["programs_compiled"], 0);
      }
    }
  }
}

// Nodes that a guard puts in floats are of another plan, which is saved as well.
TEST_P(PlanCacheDevices, AGuardedPlanIsSaved) {
  DelegateOptions options = Options();
  options.precision = gpu::Precision::kF16;
  options.compile.activations = gpu::Precision::kF16;
  options.compile.guard = true;
  const std::vector<uint8_t> model = TwoProducts(30000.0f, 0.001f);  // halves hold up to 65504
  const Start cold = Begin(device_, model, options);
  EXPECT_EQ(CountFiles(), 2u);
  const Start warm = Begin(device_, model, options);
  EXPECT_EQ(warm.Of("programs_compiled"), 0);
  EXPECT_EQ(warm.Of("plans_loaded"), 1);
  EXPECT_EQ(warm.result, cold.result);
  EXPECT_EQ(CountFiles(), 2u);
}

std::string NameOf(const ::testing::TestParamInfo<const char*>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(Device, PlanCacheDevices,
                         ::testing::Values("host", "opencl", "gles", "vulkan"), NameOf);

// ---- what changes between starts

class PlanCacheChanges : public PlanCacheTest {
 protected:
  void SetUp() override {
    const auto opened = gpu::OpenDevice("host");
    if (!opened.ok()) GTEST_SKIP() << "no host device here";
    inner_ = opened->device;
  }
  std::shared_ptr<TextDriver> Driver(uint32_t version = 1) const {
    return std::make_shared<TextDriver>(inner_, version);
  }
  // Expects that a start gives right results and builds its programs.
  void ExpectRebuilt(const std::shared_ptr<TextDriver>& driver, const std::vector<uint8_t>& model,
                     const DelegateOptions& options, size_t warnings) {
    const Start start = Begin(driver, model, options);
    EXPECT_EQ(start.Of("plans_loaded"), 0);
    EXPECT_GT(start.Of("programs_compiled"), 0);
    EXPECT_EQ(start.warnings(), warnings) << start.log;
    EXPECT_THAT(start.result, CloseTo(CpuResult(model), 1e-4f));
  }
  std::shared_ptr<gpu::Device> inner_;
};

TEST_F(PlanCacheChanges, NothingIsWrittenUnlessFlagDirectoryAndTokenAskForIt) {
  DelegateOptions no_flag = Options(), no_token = Options(""), no_folder = Options();
  no_flag.documented.experimental_flags = TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT;
  no_folder.serialization_dir.clear();
  for (const DelegateOptions& options : {no_flag, no_token, no_folder}) {
    ExpectRebuilt(Driver(), ConvModel(0.125f), options, 0);
    EXPECT_EQ(CountFiles(), 0u);
  }
}

TEST_F(PlanCacheChanges, OtherWeightsUnderTheSameTokenAreUsed) {
  const std::shared_ptr<TextDriver> driver = Driver();
  Begin(driver, ConvModel(0.125f), Options());
  const Start other = Begin(driver, ConvModel(-0.0625f), Options());
  EXPECT_EQ(other.Of("plans_loaded"), 1);  // the same programs
  EXPECT_THAT(other.result, CloseTo(CpuResult(ConvModel(-0.0625f)), 1e-4f));
}

TEST_F(PlanCacheChanges, ATokenOfAnotherModelIsNoTrouble) {
  Begin(Driver(), ConvModel(0.125f), Options());
  ExpectRebuilt(Driver(), ThreeOpModel(), Options(), 0);
  ExpectRebuilt(Driver(), SplitModel(), Options(), 0);
  EXPECT_EQ(CountFiles(), 4u);
  EXPECT_EQ(Begin(Driver(), ConvModel(0.125f), Options()).Of("plans_loaded"), 1);
}

TEST_F(PlanCacheChanges, AnotherDriverBuildsAgain) {
  Begin(Driver(), ConvModel(0.125f), Options());
  for (std::string gpu::DeviceInfo::*text :
       {&gpu::DeviceInfo::driver, &gpu::DeviceInfo::platform, &gpu::DeviceInfo::name}) {
    const std::shared_ptr<TextDriver> driver = Driver(2);
    driver->own_info().*text += " 2";
    ExpectRebuilt(driver, ConvModel(0.125f), Options(), 0);
    EXPECT_EQ(driver->loads(), 0);
  }
}

// It says that it is the same, but takes nothing of what it gave before.
TEST_F(PlanCacheChanges, ADriverThatRefusesBinariesCostsOneWarning) {
  Begin(Driver(1), ConvModel(0.125f), Options());
  ExpectRebuilt(Driver(2), ConvModel(0.125f), Options(), 1);
  const Start again = Begin(Driver(2), ConvModel(0.125f), Options());
  EXPECT_EQ(again.Of("plans_loaded"), 1);
  EXPECT_EQ(again.warnings(), 0u);
}

TEST_F(PlanCacheChanges, ADriverWithoutBinariesCostsOneWarning) {
  const std::shared_ptr<TextDriver> driver = Driver();
  driver->GiveNoBinaries();
  ExpectRebuilt(driver, SplitModel(), Options(), 1);
  EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(PlanCacheChanges, DamagedFilesCostOneWarning) {
  const std::vector<uint8_t> model = ConvModel(0.125f);
  Begin(Driver(), model, Options());
  const std::string file = OnlyFile();
  const Bytes good = ReadBytes(file);
  Bytes half(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(good.size() / 2));
  Bytes flipped = good, zeros(good.size()), more = good;
  flipped[good.size() - 100] ^= 4;
  more.push_back(0);
  for (const Bytes& bad : {half, flipped, zeros, more, Bytes()}) {
    WriteBytes(file, bad);
    const std::shared_ptr<TextDriver> driver = Driver();
    ExpectRebuilt(driver, model, Options(), 1);
    EXPECT_EQ(driver->loads(), 0);
    EXPECT_EQ(ReadBytes(file), good);  // it is there again
  }
}

TEST_F(PlanCacheChanges, NoUsableDirectoryCostsOneWarning) {
  WriteBytes(folder() + "/file", {1});
  DelegateOptions options = Options();
  for (const char* bad : {"/file", "/file/below", "/missing/below"}) {
    options.serialization_dir = folder() + bad;
    ExpectRebuilt(Driver(), SplitModel(), options, 1);
  }
  options.serialization_dir = folder() + "/new";
  ExpectRebuilt(Driver(), ConvModel(0.125f), options, 0);
  EXPECT_EQ(Begin(Driver(), ConvModel(0.125f), options).Of("plans_loaded"), 1);
}

TEST_F(PlanCacheChanges, AReadOnlyDirectoryIsReadAndCostsOneWarning) {
  Begin(Driver(), ConvModel(0.125f), Options());
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  if (access(folder_.c_str(), W_OK) == 0) GTEST_SKIP() << "the superuser may write anywhere";
  EXPECT_EQ(Begin(Driver(), ConvModel(0.125f), Options()).Of("plans_loaded"), 1);
  ExpectRebuilt(Driver(), ThreeOpModel(), Options(), 1);
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(PlanCacheChanges, ADirectoryThatGoesCostsOneWarning) {
  const Delegate delegate = DelegateOver(Options(), Opened(Driver()));
  Session session(SplitModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  fs::remove_all(folder_);
  ::testing::internal::CaptureStderr();
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(SplitModel())));
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("serialization: "));
  EXPECT_EQ(log.find("serialization: "), log.rfind("serialization: ")) << log;
}

// ---- files that fail

// Takes the texts that it gave.
class PretendingDriver : public testing::IdleDevice {
 public:
  PretendingDriver() : IdleDevice("mali") {}

  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Compile(const gpu::ProgramSource& of) override {
    auto program = std::make_shared<Program>();
    program->binary.bytes = std::make_shared<std::vector<uint8_t>>(of.text.begin(), of.text.end());
    const std::lock_guard lock(mutex_);
    texts_.insert(of.text);
    return program;
  }
  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Load(const gpu::ProgramSource&,
                                                      const gpu::ProgramBinary& binary) override {
    ++loads_;
    const std::lock_guard lock(mutex_);
    wrong_ += texts_.count({binary.bytes->begin(), binary.bytes->end()}) == 0;
    auto program = std::make_shared<Program>();
    program->binary = binary;
    return program;
  }

  int loads() const { return loads_; }
  int wrong() const { return wrong_; }  // loads of what it never gave

 private:
  struct Program : gpu::Pipeline {
    absl::StatusOr<gpu::ProgramBinary> Binary() const override { return binary; }
    gpu::ProgramBinary binary;
  };
  std::mutex mutex_;
  std::set<std::string> texts_;
  std::atomic<int> loads_ = 0, wrong_ = 0;
};

// A start and a run over a cache with these files; warnings about it.
size_t StartWith(const std::shared_ptr<PretendingDriver>& device, const DelegateOptions& options,
                 tern::Files* files) {
  ::testing::internal::CaptureStderr();
  {
    auto core = std::make_shared<DelegateCore>(options, Opened(device), files);
    const Delegate delegate(CreateDelegate(core), DeleteDelegate);
    Session session(ThreeOpModel());
    EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
    EXPECT_EQ(session->Invoke(), kTfLiteOk);
  }
  const std::string log = ::testing::internal::GetCapturedStderr();
  size_t count = 0;
  for (size_t at = log.find("serialization: "); at != std::string::npos;
       at = log.find("serialization: ", at + 1)) {
    ++count;
  }
  return count;
}

TEST_F(PlanCacheTest, EachOperationOnFilesFailsOnce) {
  const auto device = std::make_shared<PretendingDriver>();
  DelegateOptions options = Options();
  options.serialization_dir = folder() + "/c";
  for (const bool warm : {false, true}) {
    for (const tern::cache_testing::Fault fault : tern::cache_testing::kFaults) {
      for (int bad = 0;; ++bad) {
        fs::remove_all(folder() + "/c");
        if (warm) {
          ASSERT_EQ(StartWith(device, options, nullptr), 0u);
        }
        const int loads = device->loads();
        tern::cache_testing::FaultyFiles files(bad, fault);
        ASSERT_LE(StartWith(device, options, &files), 1u) << bad;
        ASSERT_EQ(device->wrong(), 0);
        if (files.operations() > bad) continue;
        // None failed.
        EXPECT_EQ(device->loads() > loads, warm);
        EXPECT_GT(bad, 3);
        break;
      }
    }
  }
}

// ---- ten thousand files

// Nothing of a file that is not as it was written gets as far as a driver.
TEST_F(PlanCacheTest, MutatedFilesAreNone) {
  const gpu::DeviceInfo device = *gpu::NullDeviceInfo("mali");
  gpu::Plan plan;
  gpu::PlanCache cache(folder(), "model");
  const gpu::SavedPlanKey key(plan, device);
  gpu::PreparedPlan prepared;
  prepared.programs.resize(2);
  for (gpu::PreparedProgram& program : prepared.programs) {
    program.source.signature.buffers.resize(3);
    program.binary.bytes = std::make_shared<std::vector<uint8_t>>(200, uint8_t{0x5A});
  }
  const CacheName name{"model", key.text};
  ASSERT_TRUE(Cache().Put(name, gpu::SavePlan(key, prepared)).ok());
  ASSERT_TRUE(cache.Find(plan, device).has_value());
  const Bytes good = ReadBytes(PathOf(name));
  std::mt19937_64 random(1);
  ::testing::internal::CaptureStderr();
  for (int round = 0; round < 10000; ++round) {
    Bytes bad = good;
    switch (round % 4) {
      case 0:
        bad[random() % bad.size()] ^= static_cast<uint8_t>(1u << random() % 8);
        break;
      case 1:
        bad.resize(random() % bad.size());
        break;
      case 2: {
        const size_t at = random() % bad.size();
        std::fill(bad.begin() + static_cast<std::ptrdiff_t>(at), bad.end(), uint8_t{0});
        break;
      }
      default: {
        const auto at = static_cast<std::ptrdiff_t>(random() % bad.size());
        bad.insert(bad.begin() + at, static_cast<uint8_t>(random()));
      }
    }
    if (bad == good) continue;
    WriteBytes(PathOf(name), bad);
    ASSERT_FALSE(cache.Find(plan, device).has_value()) << round;
  }
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(log.find("serialization: "), log.rfind("serialization: ")) << log;
  WriteBytes(PathOf(name), good);
  EXPECT_TRUE(cache.Find(plan, device).has_value());
}

}  // namespace
}  // namespace tern::delegate
