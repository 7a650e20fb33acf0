// SPDX-License-Identifier: Apache-2.0
// The list of devices and their limits, from a driver that exists as a table alone.
#include "gpu/backends/vulkan/vk_device_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/status.h"
#include "gpu/backends/vulkan/vk_device.h"

namespace tern::gpu {
namespace {

using ::testing::ElementsAre;

struct InventedGpu {
  const char* name;
  VkPhysicalDeviceType type;
  uint32_t version = VK_API_VERSION_1_1;
  std::vector<VkQueueFlags> families = {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT};
  bool half_types = false;
};

std::vector<InventedGpu> gpus;
void (*set_limits)(VkPhysicalDeviceLimits* limits) = nullptr;

const InventedGpu& Gpu(VkPhysicalDevice device) {
  return gpus[reinterpret_cast<size_t>(device) / 8 - 1];
}

VulkanFunctions InventedDriver(uint32_t version = VK_API_VERSION_1_1) {
  static uint32_t library_version;
  library_version = version;
  VulkanFunctions vk;
  vk.EnumerateInstanceVersion = [](uint32_t* to) {
    *to = library_version;
    return VK_SUCCESS;
  };
  vk.CreateInstance = [](const VkInstanceCreateInfo*, const VkAllocationCallbacks*,
                         VkInstance* made) {
    *made = reinterpret_cast<VkInstance>(8);
    return VK_SUCCESS;
  };
  vk.DestroyInstance = [](VkInstance, const VkAllocationCallbacks*) {};
  vk.EnumeratePhysicalDevices = [](VkInstance, uint32_t* count, VkPhysicalDevice* devices) {
    *count = static_cast<uint32_t>(gpus.size());
    for (size_t i = 0; devices != nullptr && i < gpus.size(); ++i)
      devices[i] = reinterpret_cast<VkPhysicalDevice>(8 * (i + 1));
    return VK_SUCCESS;
  };
  vk.GetPhysicalDeviceProperties2 = [](VkPhysicalDevice device,
                                       VkPhysicalDeviceProperties2* properties) {
    VkPhysicalDeviceProperties& to = properties->properties;
    to = {};
    std::snprintf(to.deviceName, sizeof(to.deviceName), "%s", Gpu(device).name);
    to.deviceType = Gpu(device).type;
    to.apiVersion = Gpu(device).version;
    if (set_limits != nullptr) set_limits(&to.limits);
  };
  vk.GetPhysicalDeviceFeatures2 = [](VkPhysicalDevice device, VkPhysicalDeviceFeatures2* to) {
    auto* const halves = static_cast<VkPhysicalDevice16BitStorageFeatures*>(to->pNext);
    halves->storageBuffer16BitAccess = Gpu(device).half_types ? VK_TRUE : VK_FALSE;
  };
  vk.GetPhysicalDeviceQueueFamilyProperties = [](VkPhysicalDevice device, uint32_t* count,
                                                 VkQueueFamilyProperties* families) {
    *count = static_cast<uint32_t>(Gpu(device).families.size());
    for (uint32_t i = 0; families != nullptr && i < *count; ++i) {
      families[i] = {};
      families[i].queueFlags = Gpu(device).families[i];
      families[i].queueCount = i + 1;
    }
  };
  vk.GetPhysicalDeviceMemoryProperties =
      [](VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* memory) { *memory = {}; };
  vk.CreateDevice = [](VkPhysicalDevice, const VkDeviceCreateInfo*, const VkAllocationCallbacks*,
                       VkDevice*) { return VK_ERROR_INITIALIZATION_FAILED; };
  return vk;
}

class VulkanList : public testing::Test {
 protected:
  void SetUp() override {
    gpus.clear();
    set_limits = nullptr;
  }

  static absl::StatusOr<std::vector<VulkanCandidate>> List() {
    TERN_ASSIGN_OR_RETURN(const auto instance, VulkanInstance::Create(InventedDriver()));
    return ListVulkanDevices(*instance);
  }
  static std::vector<std::string> Names() {
    std::vector<std::string> names;
    const std::vector<VulkanCandidate> all = List().value();
    for (const VulkanCandidate& candidate : all)
      names.emplace_back(candidate.properties.deviceName);
    return names;
  }
};

TEST_F(VulkanList, GpusComeBeforeProcessors) {
  gpus = {{"cpu", VK_PHYSICAL_DEVICE_TYPE_CPU},
          {"virtual", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU},
          {"other", VK_PHYSICAL_DEVICE_TYPE_OTHER},
          {"first card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU},
          {"chip", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU},
          {"second card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU}};
  EXPECT_THAT(Names(), ElementsAre("first card", "second card", "chip", "virtual", "other", "cpu"));
}

TEST_F(VulkanList, DevicesThatCannotComputeAreNamed) {
  gpus = {{"old", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_0},
          {"copier",
           VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
           VK_API_VERSION_1_3,
           {VK_QUEUE_TRANSFER_BIT}}};
  EXPECT_EQ(Message(List().status()),
            "Vulkan: no device (2 known; old: version 1.0.0, 1.1 is needed; copier: no queue that "
            "computes)");
  gpus.push_back({"chip", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU});
  EXPECT_THAT(Names(), ElementsAre("chip"));
  gpus.clear();
  EXPECT_EQ(Message(List().status()), "Vulkan: no device (0 known)");
}

TEST_F(VulkanList, QueuesWithoutGraphicsAreTakenFirst) {
  gpus = {{"card",
           VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
           VK_API_VERSION_1_1,
           {VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT, VK_QUEUE_TRANSFER_BIT,
            VK_QUEUE_COMPUTE_BIT, VK_QUEUE_COMPUTE_BIT}}};
  const VulkanCandidate card = List().value()[0];
  EXPECT_EQ(card.family, 2u);
  EXPECT_EQ(card.queues, 3u);
}

TEST_F(VulkanList, HalvesOf16BitsAreReadFromTheFeatures) {
  for (const bool has : {false, true}) {
    gpus = {{"chip", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU}};
    gpus[0].half_types = has;
    const auto instance = VulkanInstance::Create(InventedDriver()).value();
    const VulkanCandidate chip = ListVulkanDevices(*instance).value()[0];
    DeviceInfo info = ReadVulkanDeviceInfo(*instance, chip);
    EXPECT_EQ(info.half_types, has);
    LowerToVulkanMinimum(info);
    EXPECT_FALSE(info.half_types);
  }
}

// A device of the application may have been made without features.
TEST_F(VulkanList, AnApplicationsQueuesAreThoseOfItsFamily) {
  gpus = {{"card",
           VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
           VK_API_VERSION_1_1,
           {VK_QUEUE_TRANSFER_BIT, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT},
           true},
          {"old", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_0}};
  const auto instance = VulkanInstance::Create(InventedDriver()).value();
  const auto read = [&](size_t device, uint32_t family) {
    return ReadVulkanCandidate(*instance, reinterpret_cast<VkPhysicalDevice>(8 * (device + 1)),
                               family);
  };
  ASSERT_TRUE(read(0, 1).ok());
  EXPECT_EQ(read(0, 1)->family, 1u);
  EXPECT_EQ(read(0, 1)->queues, 2u);
  EXPECT_FALSE(read(0, 1)->half_types);
  for (const uint32_t family : {0u, 2u}) {
    EXPECT_EQ(Message(read(0, family).status()),
              StrCat("Vulkan: card: queue family ", family, " takes no compute work (2 families)"));
  }
  EXPECT_EQ(Message(read(1, 0).status()), "Vulkan: old: version 1.0.0, 1.1 is needed");
}

TEST_F(VulkanList, AnOldLibraryIsNamed) {
  EXPECT_EQ(Message(VulkanInstance::Create(InventedDriver(VK_API_VERSION_1_0)).status()),
            "Vulkan: the library is of version 1.0, 1.1 is needed");
}

TEST_F(VulkanList, ADeviceIsChosenByPlaceOrName) {
  gpus = {{"Alpha card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU},
          {"Beta chip", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU}};
  const auto open = [](const char* device) {
    VulkanOptions options;
    options.device = device;
    return std::string(Message(OpenVulkanDevice(InventedDriver(), options).status()));
  };
  // The driver opens none; the error is about the first that is meant.
  const std::string alpha = "Vulkan: Alpha card: vkCreateDevice: VK_ERROR_INITIALIZATION_FAILED";
  const std::string beta = "Vulkan: Beta chip: vkCreateDevice: VK_ERROR_INITIALIZATION_FAILED";
  EXPECT_EQ(open(""), alpha);
  EXPECT_EQ(open("0"), alpha);
  EXPECT_EQ(open("1"), beta);
  EXPECT_EQ(open("beta"), beta);
  EXPECT_EQ(open("2"), "Vulkan: no device '2' (0: Alpha card, 1: Beta chip)");
  EXPECT_EQ(open("gamma"), "Vulkan: no device 'gamma' (0: Alpha card, 1: Beta chip)");
}

TEST_F(VulkanList, AbsurdLimitsAreClamped) {
  gpus = {{"odd", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_3}};
  for (const auto set : {+[](VkPhysicalDeviceLimits* limits) {
                           std::memset(static_cast<void*>(limits), 0xFF, sizeof(*limits));
                         },
                         +[](VkPhysicalDeviceLimits* limits) { *limits = {}; }}) {
    set_limits = set;
    const auto instance = VulkanInstance::Create(InventedDriver()).value();
    const DeviceInfo info =
        ReadVulkanDeviceInfo(*instance, ListVulkanDevices(*instance).value()[0]);
    EXPECT_GE(info.max_buffers, 4);
    EXPECT_LE(info.max_buffers, 64);
    EXPECT_GE(info.max_group_items, 128);
    EXPECT_LE(info.max_group_items, 4096);
    for (const int size : info.max_group) {
      EXPECT_GE(size, 64);
      EXPECT_LE(size, info.max_group_items);
    }
    for (const int count : info.max_grid_groups) EXPECT_GE(count, 65535);
    EXPECT_GE(info.local_memory_bytes, 16 << 10);
    EXPECT_LE(info.local_memory_bytes, 16 << 20);
    EXPECT_GE(info.max_buffer_bytes, 1 << 27);
    EXPECT_LE(info.max_buffer_bytes, int64_t{1} << 40);
    EXPECT_GE(info.buffer_alignment, 64);
    EXPECT_LE(info.buffer_alignment, 1 << 16);
    EXPECT_EQ(info.buffer_alignment & (info.buffer_alignment - 1), 0);
  }
}

}  // namespace
}  // namespace tern::gpu
