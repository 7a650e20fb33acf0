// SPDX-License-Identifier: Apache-2.0
// The invented devices: names, numbers, refusals.
#include "gpu/backends/null/null_device.h"

#include <gtest/gtest.h>

#include "gpu/languages/metal_language.h"

namespace tern::gpu {
namespace {

const MetalLanguage kLanguage;

TEST(NullDevice, EveryNameOpens) {
  for (const std::string& name : NullDeviceNames()) {
    const absl::StatusOr<DeviceInfo> found = NullDeviceInfo(name);
    ASSERT_TRUE(found.ok()) << found.status();
    const std::shared_ptr<Device> device = MakeNullDevice(*found, kLanguage);
    const DeviceInfo& info = device->info();
    EXPECT_EQ(info.name, name);
    EXPECT_EQ(info.api, "null");
    EXPECT_GE(info.max_buffers, 4);
    EXPECT_GE(info.max_slice_width, 4);
  }
}

TEST(NullDevice, UnknownNamesListTheKnown) {
  const absl::StatusOr<DeviceInfo> info = NullDeviceInfo("toaster");
  ASSERT_FALSE(info.ok());
  EXPECT_EQ(info.status().message(),
            "unknown null device 'toaster' (known: gles-min, adreno, mali, videocore, amd, "
            "nvidia, cpu16, adreno-vulkan, mali-vulkan, videocore-vulkan)");
  EXPECT_FALSE(NullDeviceInfo("").ok());
}

TEST(NullDevice, PlansOnly) {
  const std::shared_ptr<Device> device = MakeNullDevice(*NullDeviceInfo("gles-min"), kLanguage);
  EXPECT_EQ(device->info().max_buffers, 4);
  EXPECT_EQ(device->Compile({}).status().message(), "the null backend plans only");
  EXPECT_FALSE(device->Record({}).ok());
  EXPECT_FALSE(device->CreateBuffer(16).ok());
  EXPECT_TRUE(device->Wait().ok());
}

}  // namespace
}  // namespace tern::gpu
