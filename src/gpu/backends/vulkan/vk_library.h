// SPDX-License-Identifier: Apache-2.0
// The Vulkan functions that the backend calls, found at run time: a program starts on machines
// without Vulkan. The table is plain data, so tests put failing functions into it.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_LIBRARY_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_LIBRARY_H_

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

// Every function, without its "vk". All are of version 1.1, so each loader of it shows them.
#define TERN_VK_FUNCTIONS(X)                \
  X(EnumerateInstanceVersion)               \
  X(CreateInstance)                         \
  X(DestroyInstance)                        \
  X(EnumeratePhysicalDevices)               \
  X(GetPhysicalDeviceProperties2)           \
  X(GetPhysicalDeviceFeatures2)             \
  X(GetPhysicalDeviceQueueFamilyProperties) \
  X(GetPhysicalDeviceMemoryProperties)      \
  X(CreateDevice)                           \
  X(DestroyDevice)                          \
  X(GetDeviceQueue)                         \
  X(QueueSubmit)                            \
  X(CreateFence)                            \
  X(DestroyFence)                           \
  X(GetFenceStatus)                         \
  X(WaitForFences)                          \
  X(CreateBuffer)                           \
  X(DestroyBuffer)                          \
  X(CreateBufferView)                       \
  X(DestroyBufferView)                      \
  X(GetBufferMemoryRequirements)            \
  X(AllocateMemory)                         \
  X(FreeMemory)                             \
  X(BindBufferMemory)                       \
  X(MapMemory)                              \
  X(CreateShaderModule)                     \
  X(DestroyShaderModule)                    \
  X(CreateDescriptorSetLayout)              \
  X(DestroyDescriptorSetLayout)             \
  X(CreateDescriptorPool)                   \
  X(DestroyDescriptorPool)                  \
  X(AllocateDescriptorSets)                 \
  X(UpdateDescriptorSets)                   \
  X(CreatePipelineLayout)                   \
  X(DestroyPipelineLayout)                  \
  X(CreatePipelineCache)                    \
  X(DestroyPipelineCache)                   \
  X(GetPipelineCacheData)                   \
  X(CreateComputePipelines)                 \
  X(DestroyPipeline)                        \
  X(CreateCommandPool)                      \
  X(DestroyCommandPool)                     \
  X(AllocateCommandBuffers)                 \
  X(BeginCommandBuffer)                     \
  X(EndCommandBuffer)                       \
  X(CreateQueryPool)                        \
  X(DestroyQueryPool)                       \
  X(GetQueryPoolResults)                    \
  X(CmdBindPipeline)                        \
  X(CmdBindDescriptorSets)                  \
  X(CmdPushConstants)                       \
  X(CmdDispatch)                            \
  X(CmdPipelineBarrier)                     \
  X(CmdCopyBuffer)                          \
  X(CmdResetQueryPool)                      \
  X(CmdWriteTimestamp)

namespace tern::gpu {

struct VulkanFunctions {
#define TERN_VK_FIELD(name) PFN_vk##name name = nullptr;
  TERN_VK_FUNCTIONS(TERN_VK_FIELD)
#undef TERN_VK_FIELD
};

// Where the loader may be, best place first.
std::vector<std::string> VulkanLibraryNames();

// The functions of the first library that opens; it stays loaded until the process ends. The error
// names what was tried, or the function that is missing.
absl::StatusOr<VulkanFunctions> LoadVulkanFunctions(const std::vector<std::string>& names);

// The functions that `get` gives for an instance. The error names the function that is missing.
absl::StatusOr<VulkanFunctions> LoadVulkanFunctions(PFN_vkGetInstanceProcAddr get,
                                                    VkInstance instance);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_LIBRARY_H_
