// SPDX-License-Identifier: Apache-2.0
// Opening once, opening again, failing to.
#include "gpu/backends/opened_devices.h"

#include <gtest/gtest.h>

#include "base/status.h"
#include "gpu/backends/backend_list.h"
#include "gpu/testing/faulty_device.h"

namespace tern::gpu {
namespace {

class WithQueues : public FaultyDevice {
 public:
  using FaultyDevice::FaultyDevice;
  std::shared_ptr<Queue> NewQueue() override { return std::make_shared<FaultyDevice>(inner_); }
};

class OpenedDevicesTest : public ::testing::Test {
 protected:
  absl::StatusOr<OpenedDevice> Get(const std::string& backend) {
    return devices_.Get(backend,
                        [this](const std::string& name) -> absl::StatusOr<std::shared_ptr<Device>> {
                          ++opened_;
                          if (name == "missing") return Unavailable("no driver");
                          last_ = std::make_shared<WithQueues>(OpenDevice("null:mali")->device);
                          return last_;
                        });
  }

  OpenedDevices devices_;
  int opened_ = 0;
  std::shared_ptr<WithQueues> last_;
};

TEST_F(OpenedDevicesTest, AreOpenedOncePerName) {
  const auto first = Get("a"), again = Get("a"), other = Get("b");
  ASSERT_TRUE(first.ok() && again.ok() && other.ok());
  EXPECT_EQ(first->device, again->device);
  EXPECT_EQ(first->programs, again->programs);
  EXPECT_NE(first->queue, again->queue);
  EXPECT_NE(first->device, other->device);
  EXPECT_NE(first->programs, other->programs);
  EXPECT_EQ(opened_, 2);
}

TEST_F(OpenedDevicesTest, AreTriedAgainAfterAFailure) {
  EXPECT_EQ(Get("missing").status().message(), "no driver");
  EXPECT_EQ(Get("missing").status().message(), "no driver");
  EXPECT_EQ(opened_, 2);
}

TEST_F(OpenedDevicesTest, AreOpenedAgainWhenTheyAreLost) {
  const auto first = Get("a");
  ASSERT_TRUE(first.ok());
  last_->Lose();
  const auto second = Get("a"), again = Get("a");
  ASSERT_TRUE(second.ok() && again.ok());
  EXPECT_NE(first->device, second->device);
  EXPECT_NE(first->programs, second->programs);
  EXPECT_EQ(second->device, again->device);
  EXPECT_TRUE(first->device->lost());
  EXPECT_EQ(opened_, 2);
}

}  // namespace
}  // namespace tern::gpu
