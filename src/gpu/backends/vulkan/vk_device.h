// SPDX-License-Identifier: Apache-2.0
// The Vulkan 1.1 backend. Any thread may use it; a process forked from one that uses it gets
// errors.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_DEVICE_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_DEVICE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/vulkan/vk_compiler.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/backends/vulkan/vk_library.h"
#include "gpu/device/device.h"

namespace tern::gpu {

struct VulkanOptions {
  // A device by its place in the list or by a part of its name in any case; empty: the first that
  // opens. An error lists what there is.
  std::string device = "";
  // For tests: promise only what the specification guarantees, and copy as a device does whose
  // memory the host does not see.
  bool minimum = false;
  std::vector<std::string> compilers = VulkanCompilerNames();
};

// Loads the library. Where the options choose no device, the environment variable
// TERN_VULKAN_DEVICE may.
absl::StatusOr<std::shared_ptr<Device>> OpenVulkanDevice(VulkanOptions options);

// Opens a device with given functions.
absl::StatusOr<std::shared_ptr<Device>> OpenVulkanDevice(const VulkanFunctions& functions,
                                                         const VulkanOptions& options);

// Objects of the application, which outlive all that is opened on them.
struct SharedVulkan {
  PFN_vkGetInstanceProcAddr get_function = nullptr;  // null: that of the library
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  uint32_t queue_family = 0;
  uint32_t queue = 0;  // of those that the device was made with
  VulkanQueueLock lock;
};

// Opens a device that shares buffers with the application; number and size of a SharedBuffer are
// those of its VkBuffer. Error: an object is missing, or the device does not compute there.
absl::StatusOr<std::shared_ptr<Device>> OpenSharedVulkan(const SharedVulkan& shared);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_DEVICE_H_
