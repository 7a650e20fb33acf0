// SPDX-License-Identifier: Apache-2.0
// Which drivers pass, how often the self-test runs, and what is left of it.
#include "delegate/compatibility.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "delegate/testing/delegate_test.h"
#include "gpu/backends/backend_list.h"
#include "gpu/partition/self_check.h"
#include "gpu/testing/faulty_device.h"
#include "tensorflow/lite/delegates/gpu/compatibility.h"

namespace tern::delegate {
namespace {

using gpu::FaultyDevice;

// Wraps each device that is opened over one at hand, and keeps it to look at.
struct Openings {
  std::string backend = BackendsAtHand().empty() ? "" : BackendsAtHand().front();
  std::string driver = "1";
  std::string failing_call;
  std::vector<std::shared_ptr<FaultyDevice>> devices;

  CompatibilityCheck::Opener opener() {
    return [this](const std::string& name) -> absl::StatusOr<gpu::OpenedDevice> {
      if (name == "missing") return Unavailable("it is not there");
      TERN_ASSIGN_OR_RETURN(const gpu::OpenedDevice opened, gpu::OpenDevice(backend));
      auto device = std::make_shared<FaultyDevice>(opened.device);
      device->own_info().driver = driver;
      if (!failing_call.empty()) device->FailAlways(failing_call);
      devices.push_back(device);
      return Opened(device);
    };
  }
};

#define TERN_NEED_DEVICE() \
  if (BackendsAtHand().empty()) GTEST_SKIP() << "no device here"

TEST(SelfCheckTest, EveryDeviceHerePasses) {
  TERN_NEED_DEVICE();
  for (const std::string& backend : BackendsAtHand()) {
    const absl::StatusOr<gpu::OpenedDevice> opened = gpu::OpenOwnDevice(backend);
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_EQ(gpu::SelfCheck(*opened), absl::OkStatus()) << backend;
    EXPECT_EQ(opened->programs->builds(), 4) << backend;
  }
}

TEST(SelfCheckTest, EachCallThatFailsIsAnError) {
  TERN_NEED_DEVICE();
  for (const char* call : {"CreateBuffer", "Upload", "Compile", "Record", "Submit", "Download"}) {
    Openings openings;
    openings.failing_call = call;
    const auto opened = openings.opener()("any");
    ASSERT_TRUE(opened.ok());
    EXPECT_FALSE(gpu::SelfCheck(*opened).ok()) << call;
    EXPECT_EQ(openings.devices[0]->live_buffers(), 0) << call;
  }
}

// A device whose kernels do nothing: what was in memory comes back.
TEST(SelfCheckTest, WrongNumbersAreNamed) {
  TERN_NEED_DEVICE();
  class IdleDevice : public FaultyDevice {
   public:
    using FaultyDevice::FaultyDevice;
    absl::Status Submit(gpu::Commands&) override { return absl::OkStatus(); }
    absl::Status Download(const gpu::BufferRange&, void* to, int64_t bytes) override {
      std::memset(to, 0, bytes);
      return absl::OkStatus();
    }
  };
  const auto inner = gpu::OpenDevice(BackendsAtHand().front());
  ASSERT_TRUE(inner.ok());
  const absl::Status status = gpu::SelfCheck(Opened(std::make_shared<IdleDevice>(inner->device)));
  EXPECT_THAT(std::string(Message(status)), HasSubstr("self-test's CONV_2D gives 0 at element 0"));
}

TEST(CompatibilityTest, TheKernelsRunOncePerVersionOfADriver) {
  TERN_NEED_DEVICE();
  Openings openings;
  CompatibilityCheck check;
  EXPECT_TRUE(check.Check({"any"}, openings.opener()).supported);
  EXPECT_TRUE(check.Check({"any"}, openings.opener()).supported);
  openings.driver = "2";
  EXPECT_TRUE(check.Check({"any"}, openings.opener()).supported);
  ASSERT_EQ(openings.devices.size(), 3u);
  EXPECT_EQ(openings.devices[0]->compiles(), 4);
  EXPECT_EQ(openings.devices[1]->compiles(), 0);
  EXPECT_EQ(openings.devices[2]->compiles(), 4);
  for (const auto& device : openings.devices) {
    EXPECT_EQ(device.use_count(), 1);  // closed
    EXPECT_EQ(device->live_buffers(), 0);
  }
}

TEST(CompatibilityTest, TheNextBackendIsAskedAndReasonsAreKept) {
  TERN_NEED_DEVICE();
  Openings openings;
  CompatibilityCheck check;
  const Compatibility second = check.Check({"missing", "any"}, openings.opener());
  EXPECT_TRUE(second.supported);
  EXPECT_THAT(second.reason, HasSubstr("any: "));
  openings.driver = "bad";
  openings.failing_call = "Compile";
  const Compatibility none = check.Check({"missing", "any"}, openings.opener());
  EXPECT_FALSE(none.supported);
  EXPECT_THAT(none.reason, HasSubstr("missing: it is not there; any: "));
  // A bad result is remembered, too.
  openings.failing_call.clear();
  EXPECT_FALSE(check.Check({"any"}, openings.opener()).supported);
}

TEST(CompatibilityTest, NoBackendIsNoSupport) {
  CompatibilityCheck check;
  Openings openings;
  EXPECT_FALSE(check.Check({}, openings.opener()).supported);
}

TEST(CompatibilityTest, TheCFunctionAnswersOnEveryThread) {
  const bool here = !BackendsAtHand().empty();
  std::atomic<int> supported = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back(
        [&supported] { supported += TfLiteGpuDelegateV2IsSupported(nullptr, 0) ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(supported, here ? 4 : 0);
  char reason[16];
  EXPECT_EQ(TfLiteGpuDelegateV2IsSupported(reason, sizeof(reason)), here);
  EXPECT_EQ(std::string(reason).size(), sizeof(reason) - 1);  // cut, and terminated
}

}  // namespace
}  // namespace tern::delegate
