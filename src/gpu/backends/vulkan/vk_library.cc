// SPDX-License-Identifier: Apache-2.0
// Loaders show the functions of the core as symbols.
#include "gpu/backends/vulkan/vk_library.h"

#include "base/shared_library.h"
#include "base/status.h"

namespace tern::gpu {

std::vector<std::string> VulkanLibraryNames() {
#if defined(__ANDROID__)
  return {"libvulkan.so"};
#elif defined(__APPLE__)
  return {"libvulkan.1.dylib", "libMoltenVK.dylib"};
#else
  return {"libvulkan.so.1", "libvulkan.so"};
#endif
}

absl::StatusOr<VulkanFunctions> LoadVulkanFunctions(const std::vector<std::string>& names) {
  std::string tried;
  for (const std::string& name : names) {
    absl::StatusOr<SharedLibrary> library = SharedLibrary::Open(name);
    if (!library.ok()) {
      tried += StrCat(tried.empty() ? "" : "; ", Message(library.status()));
      continue;
    }
    VulkanFunctions functions;
#define TERN_VK_LOAD(function)                             \
  if (!library->Load("vk" #function, &functions.function)) \
    return Unavailable("Vulkan: ", name, " has no function vk" #function);
    TERN_VK_FUNCTIONS(TERN_VK_LOAD)
#undef TERN_VK_LOAD
    library->KeepLoaded();
    return functions;
  }
  return Unavailable("Vulkan: no library (", tried, ")");
}

absl::StatusOr<VulkanFunctions> LoadVulkanFunctions(PFN_vkGetInstanceProcAddr get,
                                                    VkInstance instance) {
  VulkanFunctions functions;
  std::string missing;
  const auto load = [&]<typename Function>(const char* name, Function& to) {
    to = reinterpret_cast<Function>(get(instance, name));
    // An instance does not give the functions that come before it.
    if (to == nullptr) to = reinterpret_cast<Function>(get(VK_NULL_HANDLE, name));
    if (to == nullptr && missing.empty()) missing = name;
  };
#define TERN_VK_LOAD(function) load("vk" #function, functions.function);
  TERN_VK_FUNCTIONS(TERN_VK_LOAD)
#undef TERN_VK_LOAD
  if (!missing.empty())
    return Unavailable("Vulkan: the application's vkGetInstanceProcAddr has no ", missing);
  return functions;
}

}  // namespace tern::gpu
