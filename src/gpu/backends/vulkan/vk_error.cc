// SPDX-License-Identifier: Apache-2.0
// Names as in the header.
#include "gpu/backends/vulkan/vk_error.h"

#include "base/status.h"
#include "gpu/device/named_codes.h"

namespace tern::gpu {
namespace {

constexpr NamedCode kCodes[] = {
    TERN_NAMED_CODE(VK_SUCCESS),
    TERN_NAMED_CODE(VK_NOT_READY),
    TERN_NAMED_CODE(VK_TIMEOUT),
    TERN_NAMED_CODE(VK_INCOMPLETE),
    TERN_NAMED_CODE(VK_ERROR_OUT_OF_HOST_MEMORY),
    TERN_NAMED_CODE(VK_ERROR_OUT_OF_DEVICE_MEMORY),
    TERN_NAMED_CODE(VK_ERROR_INITIALIZATION_FAILED),
    TERN_NAMED_CODE(VK_ERROR_DEVICE_LOST),
    TERN_NAMED_CODE(VK_ERROR_MEMORY_MAP_FAILED),
    TERN_NAMED_CODE(VK_ERROR_LAYER_NOT_PRESENT),
    TERN_NAMED_CODE(VK_ERROR_EXTENSION_NOT_PRESENT),
    TERN_NAMED_CODE(VK_ERROR_FEATURE_NOT_PRESENT),
    TERN_NAMED_CODE(VK_ERROR_INCOMPATIBLE_DRIVER),
    TERN_NAMED_CODE(VK_ERROR_TOO_MANY_OBJECTS),
    TERN_NAMED_CODE(VK_ERROR_FRAGMENTED_POOL),
    TERN_NAMED_CODE(VK_ERROR_UNKNOWN),
    TERN_NAMED_CODE(VK_ERROR_OUT_OF_POOL_MEMORY),
    TERN_NAMED_CODE(VK_ERROR_INVALID_SHADER_NV),
};

}  // namespace

std::string VulkanResultName(VkResult code) { return CodeName(kCodes, code, "Vulkan"); }

absl::Status VulkanStatus(VkResult code, std::string_view what) {
  if (code >= 0) return absl::OkStatus();
  const std::string text = StrCat(what, ": ", VulkanResultName(code));
  switch (code) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
      return TooLarge(text);
    case VK_ERROR_DEVICE_LOST:
    case VK_ERROR_INITIALIZATION_FAILED:
    case VK_ERROR_LAYER_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return Unavailable(text);
    default:
      return absl::InternalError(text);
  }
}

}  // namespace tern::gpu
