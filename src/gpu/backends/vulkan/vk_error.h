// SPDX-License-Identifier: Apache-2.0
// Results of Vulkan as statuses.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_ERROR_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_ERROR_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gpu/backends/vulkan/vk_library.h"

namespace tern::gpu {

// "VK_ERROR_DEVICE_LOST".
std::string VulkanResultName(VkResult code);

// Ok for success and for what is none of the errors; else "vkCreateBuffer: VK_ERROR_...".
absl::Status VulkanStatus(VkResult code, std::string_view what);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_ERROR_H_
