// SPDX-License-Identifier: Apache-2.0
// The delegate on a Vulkan device of an application, with buffers of its own.
#include "tensorflow/lite/delegates/gpu/vulkan_delegate.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/testing/sanitizers.h"
#include "delegate/testing/delegate_test.h"
#include "delegate/testing/process_memory.h"
#include "gpu/backends/vulkan/testing/app_vulkan.h"
#include "gpu/backends/vulkan/vk_context.h"

namespace tern::delegate {
namespace {

using gpu::VulkanBuffer;
using gpu::testing::AppVulkan;

// Counts the turns that the delegate takes at the queue.
struct Turns {
  int locked = 0, unlocked = 0;
};

class VulkanDelegateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<AppVulkan>> app = AppVulkan::Create();
    if (!app.ok()) GTEST_SKIP() << app.status();
    app_ = *std::move(app);
    if (!app_->NewBuffer({0.0f}).ok()) GTEST_SKIP() << "the host sees no memory of the device";
  }

  TfLiteVulkanDelegateOptions Options() const {
    const gpu::SharedVulkan shared = app_->Shared();
    TfLiteVulkanDelegateOptions options = TfLiteVulkanDelegateOptionsDefault();
    options.instance = shared.instance;
    options.physical_device = shared.physical_device;
    options.device = shared.device;
    options.queue_family = shared.queue_family;
    options.queue = shared.queue;
    return options;
  }

  static Delegate New(const TfLiteVulkanDelegateOptions& options) {
    return Delegate(TfLiteVulkanDelegateCreate(&options), TfLiteVulkanDelegateDelete);
  }

  std::shared_ptr<VulkanBuffer> NewBuffer(const std::vector<float>& values) const {
    return app_->NewBuffer(values).value();
  }

  static TfLiteStatus Bind(const Delegate& delegate, const VulkanBuffer& buffer, int tensor) {
    return TfLiteVulkanDelegateBindBufferToTensor(
        delegate.get(), buffer.get(), static_cast<VkDeviceSize>(buffer.bytes()), tensor);
  }

  template <class Call>
  static std::string ErrorOf(const Call& call) {
    ::testing::internal::CaptureStderr();
    const bool failed = call();
    const std::string log = ::testing::internal::GetCapturedStderr();
    return failed ? log : "no error: " + log;
  }

  std::string CreateError(const TfLiteVulkanDelegateOptions* options) {
    return ErrorOf([&] { return TfLiteVulkanDelegateCreate(options) == nullptr; });
  }

  std::string BindError(TfLiteDelegate* delegate, VkBuffer buffer, VkDeviceSize bytes, int tensor) {
    return ErrorOf([&] {
      return TfLiteVulkanDelegateBindBufferToTensor(delegate, buffer, bytes, tensor) ==
             kTfLiteError;
    });
  }

  std::unique_ptr<AppVulkan> app_;
};

TEST_F(VulkanDelegateTest, WithoutBuffersItRunsOnTheGivenDevice) {
  Turns turns;
  TfLiteVulkanDelegateOptions options = Options();
  options.queue_lock_data = &turns;
  options.lock_queue = [](void* data) { ++static_cast<Turns*>(data)->locked; };
  options.unlock_queue = [](void* data) { ++static_cast<Turns*>(data)->unlocked; };
  const Delegate delegate = New(options);
  ASSERT_NE(delegate, nullptr);
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  ASSERT_THAT(session->execution_plan(), SizeIs(1));
  const auto* node = session->node_and_registration(session->execution_plan()[0]);
  EXPECT_STREQ(node->second.custom_name, "TfLiteVulkanDelegate");
  EXPECT_EQ(ReportOf(delegate)["engine"], "vulkan");
  const int before = turns.locked;
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
  EXPECT_EQ(turns.locked, before + 1) << "a run is one submission";
  EXPECT_EQ(turns.locked, turns.unlocked);
}

// Row lengths that fill slices and others; the second shape ends inside a slice.
TEST_F(VulkanDelegateTest, BuffersStandForInputAndOutput) {
  const int before = gpu::LiveVulkanObjects();
  for (const std::vector<int>& shape : std::vector<std::vector<int>>{
           {1, 4, 5, 4}, {1, 3, 5, 3}, {1, 1, 1, 1}, {1, 1, 1, 1001}, {2, 3, 3, 8}}) {
    for (const bool half : {false, true}) {
      SCOPED_TRACE(StrCat(shape[3], " channels, half precision ", half));
      const size_t count = Elements(shape);
      const auto in = NewBuffer(Pattern(count));
      const auto out = NewBuffer(std::vector<float>(count + 3, -1.0f));
      TfLiteVulkanDelegateOptions options = Options();
      options.precision_loss_allowed = half;
      const Delegate delegate = New(options);
      Session session(ThreeOpModel(shape));
      ASSERT_EQ(Bind(delegate, *in, session->inputs()[0]), kTfLiteOk);
      ASSERT_EQ(Bind(delegate, *out, session->outputs()[0]), kTfLiteOk);
      session->SetAllowBufferHandleOutput(true);
      ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
      EXPECT_EQ(ReportOf(delegate)["precision"], half ? "f16" : "f32");
      // The contents of the tensor's memory do not count.
      std::fill_n(session->typed_input_tensor<float>(0), count, 1000.0f);
      std::vector<float> want = CpuResult(ThreeOpModel(shape));
      want.insert(want.end(), 3, -1.0f);  // what is longer stays
      for (int run = 0; run < 2; ++run) {
        ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
        EXPECT_THAT(AppVulkan::Floats(*out, count + 3), CloseTo(want, half ? 2e-3f : 1e-5f));
      }
      // Asked for, it is copied.
      const int output = session->outputs()[0];
      EXPECT_TRUE(session->tensor(output)->data_is_stale);
      ASSERT_EQ(session->EnsureTensorDataIsReadable(output), kTfLiteOk);
      const float* data = session->typed_output_tensor<float>(0);
      EXPECT_EQ(std::vector<float>(data, data + count), AppVulkan::Floats(*out, count));
    }
  }
  EXPECT_EQ(gpu::LiveVulkanObjects(), before);
}

// Commands of the application before Invoke, without a wait of its own.
TEST_F(VulkanDelegateTest, InvokeSeesWhatWasSubmittedBefore) {
  const std::vector<int> shape = {1, 16, 16, 4};
  const size_t count = Elements(shape);
  const auto in = NewBuffer(std::vector<float>(count));
  const auto out = NewBuffer(std::vector<float>(count));
  const Delegate delegate = New(Options());
  tern::testing::ModelBuilder b;
  const int x = b.Input(shape);
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(shape)}));
  Session session(b.Finish());
  ASSERT_EQ(Bind(delegate, *in, x), kTfLiteOk);
  ASSERT_EQ(Bind(delegate, *out, session->outputs()[0]), kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  for (int round = 1; round < 4; ++round) {
    const auto value = static_cast<float>(round);
    const auto source = NewBuffer(std::vector<float>(count, value));
    ASSERT_TRUE(app_->StartCopy(*source, *in).ok());
    ASSERT_EQ(session->Invoke(), kTfLiteOk);
    EXPECT_EQ(AppVulkan::Floats(*out, count), std::vector<float>(count, value));
    app_->Finish();
  }
}

TEST_F(VulkanDelegateTest, FunctionsComeFromTheApplication) {
  static int asked;
  asked = 0;
  TfLiteVulkanDelegateOptions options = Options();
  options.get_function = [](VkInstance instance, const char* name) {
    ++asked;
    return gpu::testing::GetInstanceProcAddr(instance, name);
  };
  const Delegate delegate = New(options);
  ASSERT_NE(delegate, nullptr);
  EXPECT_GT(asked, 40);
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
  options.get_function = [](VkInstance instance, const char* name) {
    return std::string(name) == "vkCmdDispatch" ? nullptr
                                                : gpu::testing::GetInstanceProcAddr(instance, name);
  };
  EXPECT_THAT(CreateError(&options), HasSubstr("vkGetInstanceProcAddr has no vkCmdDispatch"));
}

TEST_F(VulkanDelegateTest, ResizedTensorsFitOrAreRefused) {
  const std::vector<int> shape = {1, 4, 4, 4};
  const auto in = NewBuffer(Pattern(Elements(shape))), out = NewBuffer(Pattern(Elements(shape)));
  const Delegate delegate = New(Options());
  Session session(ThreeOpModel(shape));
  const int input = session->inputs()[0];
  ASSERT_EQ(Bind(delegate, *in, input), kTfLiteOk);
  ASSERT_EQ(Bind(delegate, *out, session->outputs()[0]), kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const std::vector<int> smaller = {1, 2, 3, 3};
  ASSERT_EQ(session->ResizeInputTensor(input, smaller), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
  ASSERT_EQ(session->Invoke(), kTfLiteOk);
  EXPECT_THAT(AppVulkan::Floats(*out, Elements(smaller)),
              CloseTo(CpuResult(ThreeOpModel(shape), smaller)));
  const std::vector<int> larger = {1, 4, 5, 4};
  ASSERT_EQ(session->ResizeInputTensor(input, larger), kTfLiteOk);
  EXPECT_NE(session->AllocateTensors(), kTfLiteOk);
  EXPECT_THAT(session.errors.text, HasSubstr("has 256 bytes, tensor '"));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel(shape), larger)) << "on the CPU";
}

TEST_F(VulkanDelegateTest, WrongOptionsAreErrors) {
  const auto error = [](const std::string& text) {
    return HasSubstr("TfLiteVulkanDelegateCreate: " + text);
  };
  EXPECT_THAT(CreateError(nullptr), error("the options are NULL"));
  TfLiteVulkanDelegateOptions options = TfLiteVulkanDelegateOptionsDefault();
  EXPECT_THAT(CreateError(&options),
              error("Vulkan: instance, physical device or device is VK_NULL_HANDLE"));
  options = Options();
  options.queue_family = 99;
  EXPECT_THAT(CreateError(&options), HasSubstr("queue family 99 takes no compute work ("));
  options = Options();
  options.queue = 1000;
  EXPECT_THAT(CreateError(&options), HasSubstr("has no queue 1000 ("));
  options = Options();
  options.lock_queue = [](void* /*data*/) {};
  EXPECT_THAT(CreateError(&options),
              error("Vulkan: of the functions that lock and unlock the queue one is missing"));
  TfLiteVulkanDelegateDelete(nullptr);
}

TEST_F(VulkanDelegateTest, WrongCallsOfBindAreErrors) {
  const auto buffer = NewBuffer({1.0f});
  const auto error = [](const std::string& text) {
    return HasSubstr("TfLiteVulkanDelegateBindBufferToTensor: " + text);
  };
  const std::string none = "the delegate is none of TfLiteVulkanDelegateCreate";
  EXPECT_THAT(BindError(nullptr, buffer->get(), 4, 0), error(none));
  const Delegate newer(TfLiteGpuDelegateV2Create(nullptr), TfLiteGpuDelegateV2Delete);
  EXPECT_THAT(BindError(newer.get(), buffer->get(), 4, 0), error(none));
  const Delegate delegate = New(Options());
  EXPECT_THAT(BindError(delegate.get(), VK_NULL_HANDLE, 4, 0),
              error("the Vulkan buffer is VK_NULL_HANDLE"));
  EXPECT_THAT(BindError(delegate.get(), buffer->get(), 0, 0), error("buffer size (0 bytes"));
  EXPECT_THAT(BindError(delegate.get(), buffer->get(), UINT64_MAX, 0), error("buffer size ("));
  EXPECT_THAT(BindError(delegate.get(), buffer->get(), 4, -1), error("there is no tensor #-1"));
  Session small(ThreeOpModel());
  ASSERT_EQ(Bind(delegate, *buffer, small->inputs()[0]), kTfLiteOk);
  EXPECT_EQ(small->ModifyGraphWithDelegate(delegate.get()), kTfLiteDelegateError);
  EXPECT_THAT(small.errors.text, HasSubstr("has 4 bytes, tensor '"));
  const Delegate applied = New(Options());
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(applied.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(BindError(applied.get(), buffer->get(), 4, 0),
              error("ModifyGraphWithDelegate came before"));
}

TEST(VulkanMemory, AThousandInterpretersLeaveNothing) {
  const absl::StatusOr<gpu::OpenedDevice> opened = gpu::OpenDevice("vulkan");
  if (!opened.ok()) GTEST_SKIP() << opened.status();
  const auto start = [&](Session& session) {
    Delegate delegate = DelegateOver(DefaultOptions(), *gpu::OpenDevice("vulkan"));
    EXPECT_EQ(session->ModifyGraphWithDelegate(std::move(delegate)), kTfLiteOk);
    session.Run();
  };
  Session stays(ThreeOpModel());  // holds the programs
  start(stays);
  int objects = 0;
  int64_t resident = 0;
  for (int i = 0; i < 1000; ++i) {
    {
      Session session(ThreeOpModel());
      start(session);
    }
    if (i == 0) objects = gpu::LiveVulkanObjects();
    ASSERT_EQ(gpu::LiveVulkanObjects(), objects) << i;
    if (i == 100) resident = testing::FromStatus("VmRSS");
  }
  if (tern::testing::kAddressSanitizer || tern::testing::kThreadSanitizer)
    GTEST_SKIP() << "a sanitizer keeps memory that was freed";
  EXPECT_LT(testing::FromStatus("VmRSS") - resident, 900 * 4096);
}

}  // namespace
}  // namespace tern::delegate
