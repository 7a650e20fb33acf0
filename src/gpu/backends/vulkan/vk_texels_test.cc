// SPDX-License-Identifier: Apache-2.0
// Texel buffers: what every device with them promises, limits of the driver, and failures.
#include <gtest/gtest.h>

#include <memory>

#include "base/status.h"
#include "gpu/backends/conformance/texels_cases.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/backends/vulkan/vk_device.h"

namespace tern::gpu {
namespace {

using conformance::RecordSlices;

VulkanFunctions real;

class VulkanTexels : public ::testing::Test {
 protected:
  void SetUp() override {
    auto functions = LoadVulkanFunctions(VulkanLibraryNames());
    if (!functions.ok()) GTEST_SKIP() << functions.status();
    real = *functions;
    auto device = OpenVulkanDevice(real, {});
    if (!device.ok()) GTEST_SKIP() << "Vulkan device: " << device.status();
    device_ = *device;
  }

  std::shared_ptr<Device> device_;
};

TEST_F(VulkanTexels, Order) { conformance::RunTexelOrder(*device_); }
TEST_F(VulkanTexels, Neighbours) { conformance::RunTexelNeighbours(*device_); }
TEST_F(VulkanTexels, Limits) { conformance::RunTexelLimits(*device_); }
TEST_F(VulkanTexels, Copies) { conformance::RunTexelCopies(*device_); }

TEST_F(VulkanTexels, ViewsEndWithTheirCommands) {
  auto commands = RecordSlices(*device_, 8);
  ASSERT_TRUE(commands.ok()) << commands.status();
  const int with = LiveVulkanObjects();
  commands->reset();
  EXPECT_LT(LiveVulkanObjects(), with);
}

TEST_F(VulkanTexels, TheMinimumHasNone) {
  VulkanOptions options;
  options.minimum = true;
  const auto device = OpenVulkanDevice(real, options);
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->info().max_texel_buffers, 0);
}

// Less than any driver may say.
void VKAPI_PTR Few(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
  real.GetPhysicalDeviceProperties2(device, properties);
  properties->properties.limits.maxTexelBufferElements = 1;
  properties->properties.limits.maxPerStageDescriptorSampledImages = 1;
  properties->properties.limits.minTexelBufferOffsetAlignment = 192;
}

TEST_F(VulkanTexels, FewAndFarApart) {
  VulkanFunctions functions = real;
  functions.GetPhysicalDeviceProperties2 = &Few;
  const auto device = OpenVulkanDevice(functions, {});
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->info().max_texels, 1 << 16);
  EXPECT_EQ((*device)->info().max_texel_buffers, 16);
  EXPECT_GE((*device)->info().buffer_alignment, 256);
  EXPECT_EQ(RecordSlices(**device, 1 << 16).status(), absl::OkStatus());
  EXPECT_EQ(RecordSlices(**device, (1 << 16) + 1).status().message(),
            "slices: too many texels (65537, limit 65536)");
}

VkResult VKAPI_PTR NoView(VkDevice, const VkBufferViewCreateInfo*, const VkAllocationCallbacks*,
                          VkBufferView*) {
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

TEST_F(VulkanTexels, ViewsMayBeRefused) {
  VulkanFunctions functions = real;
  functions.CreateBufferView = &NoView;
  const auto device = OpenVulkanDevice(functions, {});
  ASSERT_TRUE(device.ok()) << device.status();
  const int before = LiveVulkanObjects();
  const absl::Status status = RecordSlices(**device, 8).status();
  EXPECT_TRUE(conformance::Contains(status, "slices: vkCreateBufferView")) << status;
  EXPECT_EQ(LiveVulkanObjects(), before);
}

}  // namespace
}  // namespace tern::gpu
