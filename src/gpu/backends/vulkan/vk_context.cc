// SPDX-License-Identifier: Apache-2.0
// Creation of instance and device, and choice of memory.
#include "gpu/backends/vulkan/vk_context.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/status.h"
#include "gpu/backends/vulkan/vk_error.h"

namespace tern::gpu {
namespace {

std::atomic<int> live_objects = 0;

constexpr VkMemoryPropertyFlags kHostMemory =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

// A device with memory of its own shows the host a part of it, which is slow to read.
bool HasOwnMemory(VkPhysicalDeviceType type) {
  return type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU ||
         type == VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU;
}

}  // namespace

int LiveVulkanObjects() { return live_objects; }
void CountVulkanObject(int by) { live_objects += by; }

VulkanInstance::VulkanInstance(const VulkanFunctions& functions)
    : functions_(functions), process_(getpid()) {}

absl::StatusOr<std::shared_ptr<VulkanInstance>> VulkanInstance::Create(
    const VulkanFunctions& functions) {
  uint32_t version = 0;
  TERN_RETURN_IF_ERROR(
      VulkanStatus(functions.EnumerateInstanceVersion(&version), "vkEnumerateInstanceVersion"));
  if (version < VK_API_VERSION_1_1) {
    return Unavailable("Vulkan: the library is of version ", VK_API_VERSION_MAJOR(version), ".",
                       VK_API_VERSION_MINOR(version), ", 1.1 is needed");
  }
  VkApplicationInfo application = {};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pEngineName = "Tern";
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  std::shared_ptr<VulkanInstance> made(new VulkanInstance(functions));
  TERN_RETURN_IF_ERROR(
      VulkanStatus(functions.CreateInstance(&info, nullptr, &made->instance_), "vkCreateInstance"));
  CountVulkanObject(1);
  return made;
}

std::shared_ptr<VulkanInstance> VulkanInstance::Share(const VulkanFunctions& functions,
                                                      VkInstance instance) {
  std::shared_ptr<VulkanInstance> made(new VulkanInstance(functions));
  made->owned_ = false;
  made->instance_ = instance;
  return made;
}

VulkanInstance::~VulkanInstance() {
  if (instance_ == VK_NULL_HANDLE || !owned_) return;
  CountVulkanObject(-1);
  if (alive()) functions_.DestroyInstance(instance_, nullptr);
}

bool VulkanInstance::alive() const { return process_ == getpid(); }

VulkanContext::VulkanContext(std::shared_ptr<VulkanInstance> instance,
                             const VulkanCandidate& candidate, bool owned, bool staged)
    : instance_(std::move(instance)),
      candidate_(candidate),
      owned_(owned),
      shares_memory_(!staged && !HasOwnMemory(candidate.properties.deviceType)) {
  vk().GetPhysicalDeviceMemoryProperties(candidate.device, &memory_);
}

void VulkanContext::AddQueue(uint32_t number, const VulkanQueueLock& lock) {
  VkQueue queue = VK_NULL_HANDLE;
  vk().GetDeviceQueue(device_, candidate_.family, number, &queue);
  queues_.push_back(std::make_shared<SharedVulkanQueue>(queue, lock));
}

absl::StatusOr<std::shared_ptr<VulkanContext>> VulkanContext::Create(
    std::shared_ptr<VulkanInstance> instance, const VulkanCandidate& candidate, bool staged) {
  std::shared_ptr<VulkanContext> made(
      new VulkanContext(std::move(instance), candidate, /*owned=*/true, staged));
  const std::vector<float> priorities(candidate.queues, 0.5f);
  VkDeviceQueueCreateInfo queues = {};
  queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queues.queueFamilyIndex = candidate.family;
  queues.queueCount = candidate.queues;
  queues.pQueuePriorities = priorities.data();
  VkDeviceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  VkPhysicalDevice16BitStorageFeatures halves = {};
  halves.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  halves.storageBuffer16BitAccess = VK_TRUE;
  if (candidate.half_types) info.pNext = &halves;
  TERN_RETURN_IF_ERROR(VulkanStatus(
      made->vk().CreateDevice(candidate.device, &info, nullptr, &made->device_), "vkCreateDevice"));
  CountVulkanObject(1);
  for (uint32_t i = 0; i < candidate.queues; ++i) made->AddQueue(i, {});
  return made;
}

std::shared_ptr<VulkanContext> VulkanContext::Share(std::shared_ptr<VulkanInstance> instance,
                                                    const VulkanCandidate& candidate,
                                                    VkDevice device, uint32_t queue,
                                                    const VulkanQueueLock& lock) {
  std::shared_ptr<VulkanContext> made(
      new VulkanContext(std::move(instance), candidate, /*owned=*/false, /*staged=*/false));
  made->device_ = device;
  made->AddQueue(queue, lock);
  return made;
}

VulkanContext::~VulkanContext() {
  if (device_ == VK_NULL_HANDLE || !owned_) return;
  CountVulkanObject(-1);
  if (alive()) vk().DestroyDevice(device_, nullptr);
}

absl::Status VulkanContext::Check() const {
  if (!alive()) {
    return absl::FailedPreconditionError(
        "Vulkan cannot be used in a process forked after it started");
  }
  if (lost_) return Unavailable("the Vulkan device is lost");
  return absl::OkStatus();
}

absl::Status VulkanContext::Result(VkResult code, std::string_view what) {
  if (code == VK_ERROR_DEVICE_LOST) lost_ = true;
  return VulkanStatus(code, what);
}

std::shared_ptr<SharedVulkanQueue> VulkanContext::NextQueue() {
  return queues_[next_queue_++ % queues_.size()];
}

absl::StatusOr<uint32_t> VulkanContext::MemoryType(uint32_t allowed, VkMemoryPropertyFlags needed,
                                                   VkMemoryPropertyFlags wanted) const {
  std::optional<uint32_t> found;
  for (uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags flags = memory_.memoryTypes[i].propertyFlags;
    if ((allowed >> i & 1) == 0 || (flags & needed) != needed) continue;
    if ((flags & wanted) == wanted) return i;
    if (!found) found = i;
  }
  if (!found) return Unavailable("the Vulkan device has no memory of the kind that is needed");
  return *found;
}

absl::StatusOr<uint32_t> VulkanContext::HostMemoryType(uint32_t allowed) const {
  return MemoryType(allowed, kHostMemory, VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
}

absl::StatusOr<uint32_t> VulkanContext::DeviceMemoryType(uint32_t allowed) const {
  return MemoryType(allowed, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

absl::StatusOr<CommandPoolHandle> MakeVulkanCommandPool(
    const std::shared_ptr<VulkanContext>& context) {
  VkCommandPoolCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  info.queueFamilyIndex = context->family();
  return MakeVulkan<CommandPoolHandle>(context, &VulkanFunctions::CreateCommandPool, info,
                                       "vkCreateCommandPool");
}

absl::StatusOr<VkCommandBuffer> BeginVulkanCommands(const std::shared_ptr<VulkanContext>& context,
                                                    const CommandPoolHandle& pool,
                                                    VkCommandBufferUsageFlags usage) {
  const VulkanFunctions& vk = context->vk();
  VkCommandBufferAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool.get();
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  TERN_RETURN_IF_ERROR(
      context->Result(vk.AllocateCommandBuffers(context->device(), &allocate, &commands),
                      "vkAllocateCommandBuffers"));
  VkCommandBufferBeginInfo begin = {};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = usage;
  TERN_RETURN_IF_ERROR(
      context->Result(vk.BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer"));
  return commands;
}

void RecordVulkanBarrier(const VulkanFunctions& vk, VkCommandBuffer commands,
                         const VulkanAccess& before, const VulkanAccess& after) {
  VkMemoryBarrier barrier = {};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = before.accesses;
  barrier.dstAccessMask = after.accesses;
  vk.CmdPipelineBarrier(commands, before.stages, after.stages, 0, 1, &barrier, 0, nullptr, 0,
                        nullptr);
}

}  // namespace tern::gpu
