// SPDX-License-Identifier: Apache-2.0
// Tests which buffers the store gives away and which it keeps.
#include "gpu/device/buffer_store.h"

#include <gtest/gtest.h>

#include "gpu/backends/backend_list.h"

namespace tern::gpu {
namespace {

class BufferStoreTest : public ::testing::Test {
 protected:
  std::shared_ptr<Device> device_ = OpenDevice("null:mali")->device;
  std::shared_ptr<Buffer> buffer_ = std::make_shared<Buffer>();
  BufferStore store_;
};

TEST_F(BufferStoreTest, ABufferIsTakenOnceAndOnlyByItsSizeAndContent) {
  store_.Put(device_, buffer_, 64, 5);
  EXPECT_EQ(store_.Take(*device_, 64), nullptr);
  EXPECT_EQ(store_.Take(*device_, 65, 5), nullptr);
  EXPECT_EQ(store_.Take(*device_, 64, 6), nullptr);
  EXPECT_EQ(store_.Take(*device_, 64, 5), buffer_);
  EXPECT_EQ(store_.Take(*device_, 64, 5), nullptr);
}

TEST_F(BufferStoreTest, OtherDevicesTakeNothing) {
  store_.Put(device_, buffer_, 64);
  EXPECT_EQ(store_.Take(*OpenDevice("null:adreno")->device, 64), nullptr);
  EXPECT_EQ(store_.Take(*device_, 64), buffer_);
}

TEST_F(BufferStoreTest, ClearAndCloseLetGo) {
  EXPECT_FALSE(store_.Clear());
  store_.Put(device_, buffer_, 64);
  EXPECT_EQ(buffer_.use_count(), 2);
  EXPECT_TRUE(store_.Clear());
  EXPECT_EQ(buffer_.use_count(), 1);
  store_.Put(device_, buffer_, 64);
  store_.Close();
  EXPECT_EQ(buffer_.use_count(), 1);
  store_.Put(device_, buffer_, 64);
  EXPECT_EQ(buffer_.use_count(), 1);
}

}  // namespace
}  // namespace tern::gpu
