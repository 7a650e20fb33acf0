// SPDX-License-Identifier: Apache-2.0
// Devices and their limits.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_DEVICE_INFO_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_DEVICE_INFO_H_

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/desc/device_info.h"

namespace tern::gpu {

// All devices of version 1.1 with queues for compute work: discrete, integrated, virtual ones, then
// processors; within a kind in the order of the loader. An error says why there is none.
absl::StatusOr<std::vector<VulkanCandidate>> ListVulkanDevices(const VulkanInstance& instance);

// A device of the application, with its queues of this family; it was made without features, as far
// as this side knows. Error: it is of an older version, or
// they take no compute work.
absl::StatusOr<VulkanCandidate> ReadVulkanCandidate(const VulkanInstance& instance,
                                                    VkPhysicalDevice device, uint32_t family);

DeviceInfo ReadVulkanDeviceInfo(const VulkanInstance& instance, const VulkanCandidate& candidate);

// Leaves what the specification of version 1.1 guarantees.
void LowerToVulkanMinimum(DeviceInfo& info);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_DEVICE_INFO_H_
