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

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_DEVICE_H_
