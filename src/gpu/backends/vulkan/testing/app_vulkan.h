// SPDX-License-Identifier: Apache-2.0
// For tests: an application with an instance, a device and buffers of its own.
#ifndef TERN_GPU_BACKENDS_VULKAN_TESTING_APP_VULKAN_H_
#define TERN_GPU_BACKENDS_VULKAN_TESTING_APP_VULKAN_H_

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/shared_library.h"
#include "base/status.h"
#include "gpu/backends/vulkan/vk_device.h"
#include "gpu/backends/vulkan/vk_device_info.h"
#include "gpu/backends/vulkan/vk_error.h"
#include "gpu/backends/vulkan/vk_memory.h"

namespace tern::gpu::testing {

// The function of the library.
inline PFN_vkVoidFunction GetInstanceProcAddr(VkInstance instance, const char* name) {
  static const PFN_vkGetInstanceProcAddr get = [] {
    PFN_vkGetInstanceProcAddr found = nullptr;
    for (const std::string& library : VulkanLibraryNames()) {
      absl::StatusOr<SharedLibrary> open = SharedLibrary::Open(library);
      if (open.ok() && open->Load("vkGetInstanceProcAddr", &found)) {
        open->KeepLoaded();
        break;
      }
    }
    return found;
  }();
  return get == nullptr ? nullptr : get(instance, name);
}

class AppVulkan {
 public:
  // An error where there is no library or no device.
  static absl::StatusOr<std::unique_ptr<AppVulkan>> Create() {
    // One for all, to the end: drivers leak with each.
    static const auto& instance = *new absl::StatusOr<std::shared_ptr<VulkanInstance>>([] {
      const absl::StatusOr<VulkanFunctions> vk = LoadVulkanFunctions(VulkanLibraryNames());
      return vk.ok() ? VulkanInstance::Create(*vk) : vk.status();
    }());
    std::unique_ptr<AppVulkan> made(new AppVulkan);
    TERN_ASSIGN_OR_RETURN(made->instance_, instance);
    TERN_ASSIGN_OR_RETURN(const std::vector<VulkanCandidate> all,
                          ListVulkanDevices(*made->instance_));
    made->candidate_ = all.front();
    TERN_ASSIGN_OR_RETURN(made->context_,
                          VulkanContext::Create(made->instance_, made->candidate_, false));
    return made;
  }
  ~AppVulkan() { Finish(); }

  SharedVulkan Shared() const {
    SharedVulkan shared;
    shared.instance = instance_->get();
    shared.physical_device = candidate_.device;
    shared.device = context_->device();
    shared.queue_family = candidate_.family;
    return shared;
  }

  // For launches and copies; the host sees it.
  absl::StatusOr<std::shared_ptr<VulkanBuffer>> NewBuffer(const std::vector<float>& values) const {
    TERN_ASSIGN_OR_RETURN(
        std::shared_ptr<VulkanBuffer> buffer,
        VulkanBuffer::Create(context_, static_cast<int64_t>(values.size() * sizeof(float)),
                             VulkanMemory::kLaunches));
    if (buffer->mapped() == nullptr)
      return Unavailable("the device's memory is not seen by the host");
    std::memcpy(buffer->mapped(), values.data(), values.size() * sizeof(float));
    return buffer;
  }

  static std::vector<float> Floats(const VulkanBuffer& buffer, size_t count) {
    std::vector<float> values(count);
    std::memcpy(values.data(), buffer.mapped(), count * sizeof(float));
    return values;
  }

  // Hands a copy to the first queue and does not wait for it.
  absl::Status StartCopy(const VulkanBuffer& from, const VulkanBuffer& to) {
    TERN_ASSIGN_OR_RETURN(CommandPoolHandle pool, MakeVulkanCommandPool(context_));
    TERN_ASSIGN_OR_RETURN(
        const VkCommandBuffer commands,
        BeginVulkanCommands(context_, pool, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
    const VkBufferCopy all = {0, 0, static_cast<VkDeviceSize>(from.bytes())};
    vk().CmdCopyBuffer(commands, from.get(), to.get(), 1, &all);
    TERN_RETURN_IF_ERROR(VulkanStatus(vk().EndCommandBuffer(commands), "vkEndCommandBuffer"));
    VkFenceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    TERN_ASSIGN_OR_RETURN(
        FenceHandle fence,
        MakeVulkan<FenceHandle>(context_, &VulkanFunctions::CreateFence, info, "vkCreateFence"));
    VkSubmitInfo submit = {};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    VkQueue queue = VK_NULL_HANDLE;
    vk().GetDeviceQueue(context_->device(), candidate_.family, 0, &queue);
    TERN_RETURN_IF_ERROR(
        VulkanStatus(vk().QueueSubmit(queue, 1, &submit, fence.get()), "vkQueueSubmit"));
    work_.emplace_back(std::move(pool), std::move(fence));
    return absl::OkStatus();
  }

  // Waits for the copies.
  void Finish() {
    for (const auto& [pool, fence] : work_) {
      const VkFence done = fence.get();
      (void)vk().WaitForFences(context_->device(), 1, &done, VK_TRUE, UINT64_MAX);
    }
    work_.clear();
  }

 private:
  AppVulkan() = default;
  const VulkanFunctions& vk() const { return instance_->vk(); }

  std::shared_ptr<VulkanInstance> instance_;
  VulkanCandidate candidate_;
  std::shared_ptr<VulkanContext> context_;
  std::vector<std::pair<CommandPoolHandle, FenceHandle>> work_;
};

}  // namespace tern::gpu::testing

#endif  // TERN_GPU_BACKENDS_VULKAN_TESTING_APP_VULKAN_H_
