// SPDX-License-Identifier: Apache-2.0
// The invented devices: names, numbers, refusals.
#include "gpu/backends/null/null_device.h"

#include <gtest/gtest.h>

#include "gpu/backends/metal/mtl_language.h"

namespace tern::gpu {
namespace {

const MtlLanguage kLanguage;

TEST(NullDevice, EveryNameOpens) {
  for (const std::string& name : NullDeviceNames()) {
    const absl::StatusOr<std::shared_ptr<Device>> device = OpenNullDevice(name, kLanguage);
    ASSERT_TRUE(device.ok()) << device.status();
    const DeviceInfo& info = (*device)->info();
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
            "unknown null device 'toaster' (known: gles-min, adreno, mali, nvidia, cpu16)");
  EXPECT_FALSE(OpenNullDevice("", kLanguage).ok());
}

TEST(NullDevice, PlansOnly) {
  const std::shared_ptr<Device> device = *OpenNullDevice("gles-min", kLanguage);
  EXPECT_EQ(device->info().max_buffers, 4);
  EXPECT_EQ(device->Compile({}).status().message(), "the null backend plans only");
  EXPECT_FALSE(device->Record({}).ok());
  EXPECT_FALSE(device->CreateBuffer(16).ok());
  EXPECT_TRUE(device->Wait().ok());
}

}  // namespace
}  // namespace tern::gpu
