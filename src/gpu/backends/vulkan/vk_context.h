// SPDX-License-Identifier: Apache-2.0
// The instance, the logical device with its queues and memory, and owners of the objects made from
// it.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_CONTEXT_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_CONTEXT_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status.h"
#include "gpu/backends/vulkan/vk_library.h"

namespace tern::gpu {

// Driver objects of all contexts that are not released yet, for tests.
int LiveVulkanObjects();
void CountVulkanObject(int by);

// In a process forked from the one that made it, the driver must not be called.
class VulkanInstance {
 public:
  static absl::StatusOr<std::shared_ptr<VulkanInstance>> Create(const VulkanFunctions& functions);
  // An instance of the application, which keeps it.
  static std::shared_ptr<VulkanInstance> Share(const VulkanFunctions& functions,
                                               VkInstance instance);
  ~VulkanInstance();

  const VulkanFunctions& vk() const { return functions_; }
  VkInstance get() const { return instance_; }
  bool alive() const;

 private:
  explicit VulkanInstance(const VulkanFunctions& functions);

  const VulkanFunctions functions_;
  const pid_t process_;
  bool owned_ = true;
  VkInstance instance_ = VK_NULL_HANDLE;
};

// A physical device that takes compute work.
struct VulkanCandidate {
  VkPhysicalDevice device = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties = {};
  uint32_t family = 0;  // of its queues
  uint32_t queues = 0;
  uint32_t timestamp_bits = 0;  // 0: the queues have no clock
  bool half_types = false;      // storage buffers of 16 bits
};

// Functions of the application around each use of a queue that it uses as well; both or none.
struct VulkanQueueLock {
  void (*lock)(void* data) = nullptr;
  void (*unlock)(void* data) = nullptr;
  void* data = nullptr;
};

// A queue of the driver, for one thread at a time: a lock of the standard library's kind.
class SharedVulkanQueue {
 public:
  explicit SharedVulkanQueue(VkQueue queue, const VulkanQueueLock& with = {})
      : queue_(queue), with_(with) {}

  VkQueue get() const { return queue_; }
  void lock() {
    mutex_.lock();
    if (with_.lock != nullptr) with_.lock(with_.data);
  }
  void unlock() {
    if (with_.unlock != nullptr) with_.unlock(with_.data);
    mutex_.unlock();
  }

 private:
  const VkQueue queue_;
  const VulkanQueueLock with_;
  std::mutex mutex_;
};

// Shared by everything that lives on the device, so it goes last.
class VulkanContext {
 public:
  // With `staged`, memory counts as separate from the host's, whatever the device says.
  static absl::StatusOr<std::shared_ptr<VulkanContext>> Create(
      std::shared_ptr<VulkanInstance> instance, const VulkanCandidate& candidate, bool staged);
  // A device of the application, which keeps it, and one of its queues.
  static std::shared_ptr<VulkanContext> Share(std::shared_ptr<VulkanInstance> instance,
                                              const VulkanCandidate& candidate, VkDevice device,
                                              uint32_t queue, const VulkanQueueLock& lock);
  ~VulkanContext();

  const VulkanFunctions& vk() const { return instance_->vk(); }
  VkDevice device() const { return device_; }
  bool owned() const { return owned_; }  // not the application's
  uint32_t family() const { return candidate_.family; }
  const VkPhysicalDeviceLimits& limits() const { return candidate_.properties.limits; }
  uint32_t timestamp_bits() const { return candidate_.timestamp_bits; }

  bool alive() const { return instance_->alive(); }
  bool lost() const { return lost_; }
  // An error in a forked child and once the device is lost.
  absl::Status Check() const;
  // VulkanStatus, which also takes note of a lost device.
  absl::Status Result(VkResult code, std::string_view what);

  // The driver's queues in turn.
  std::shared_ptr<SharedVulkanQueue> NextQueue();

  // Whether buffers for launches are memory that the host sees as well.
  bool shares_memory() const { return shares_memory_; }
  // The best of the allowed types of memory: that the host sees, or that is the device's own.
  absl::StatusOr<uint32_t> HostMemoryType(uint32_t allowed) const;
  absl::StatusOr<uint32_t> DeviceMemoryType(uint32_t allowed) const;

 private:
  VulkanContext(std::shared_ptr<VulkanInstance> instance, const VulkanCandidate& candidate,
                bool owned, bool staged);
  void AddQueue(uint32_t number, const VulkanQueueLock& lock);

  absl::StatusOr<uint32_t> MemoryType(uint32_t allowed, VkMemoryPropertyFlags needed,
                                      VkMemoryPropertyFlags wanted) const;

  const std::shared_ptr<VulkanInstance> instance_;
  const VulkanCandidate candidate_;
  const bool owned_;
  VkPhysicalDeviceMemoryProperties memory_ = {};
  const bool shares_memory_;
  VkDevice device_ = VK_NULL_HANDLE;
  std::vector<std::shared_ptr<SharedVulkanQueue>> queues_;
  std::atomic<uint32_t> next_queue_ = 0;
  std::atomic<bool> lost_ = false;
};

// Owns one object of the device.
template <typename T, auto kDestroy>
class VulkanHandle {
 public:
  using Object = T;

  VulkanHandle() = default;
  VulkanHandle(std::shared_ptr<const VulkanContext> context, T object)
      : context_(std::move(context)), object_(object) {
    CountVulkanObject(1);
  }
  VulkanHandle(VulkanHandle&& other) noexcept { *this = std::move(other); }
  VulkanHandle& operator=(VulkanHandle&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(object_, other.object_);
    return *this;
  }
  VulkanHandle(const VulkanHandle&) = delete;
  VulkanHandle& operator=(const VulkanHandle&) = delete;
  ~VulkanHandle() {
    if (context_ == nullptr) return;
    CountVulkanObject(-1);
    if (context_->alive()) (context_->vk().*kDestroy)(context_->device(), object_, nullptr);
  }

  T get() const { return object_; }

 private:
  std::shared_ptr<const VulkanContext> context_;
  T object_ = VK_NULL_HANDLE;
};

using BufferHandle = VulkanHandle<VkBuffer, &VulkanFunctions::DestroyBuffer>;
using BufferViewHandle = VulkanHandle<VkBufferView, &VulkanFunctions::DestroyBufferView>;
using CommandPoolHandle = VulkanHandle<VkCommandPool, &VulkanFunctions::DestroyCommandPool>;
using DescriptorPoolHandle =
    VulkanHandle<VkDescriptorPool, &VulkanFunctions::DestroyDescriptorPool>;
using FenceHandle = VulkanHandle<VkFence, &VulkanFunctions::DestroyFence>;
using MemoryHandle = VulkanHandle<VkDeviceMemory, &VulkanFunctions::FreeMemory>;
using PipelineCacheHandle = VulkanHandle<VkPipelineCache, &VulkanFunctions::DestroyPipelineCache>;
using PipelineHandle = VulkanHandle<VkPipeline, &VulkanFunctions::DestroyPipeline>;
using PipelineLayoutHandle =
    VulkanHandle<VkPipelineLayout, &VulkanFunctions::DestroyPipelineLayout>;
using QueryPoolHandle = VulkanHandle<VkQueryPool, &VulkanFunctions::DestroyQueryPool>;
using SetLayoutHandle =
    VulkanHandle<VkDescriptorSetLayout, &VulkanFunctions::DestroyDescriptorSetLayout>;
using ShaderHandle = VulkanHandle<VkShaderModule, &VulkanFunctions::DestroyShaderModule>;

// MakeVulkan<FenceHandle>(context, &VulkanFunctions::CreateFence, info, "vkCreateFence").
template <typename Handle, typename Create, typename Info>
absl::StatusOr<Handle> MakeVulkan(const std::shared_ptr<VulkanContext>& context, Create create,
                                  const Info& info, std::string_view what) {
  typename Handle::Object object = VK_NULL_HANDLE;
  const VkResult code = (context->vk().*create)(context->device(), &info, nullptr, &object);
  TERN_RETURN_IF_ERROR(context->Result(code, what));
  return Handle(context, object);
}

// Records into the first command buffer of the pool, which is made for it.
absl::StatusOr<VkCommandBuffer> BeginVulkanCommands(const std::shared_ptr<VulkanContext>& context,
                                                    const CommandPoolHandle& pool,
                                                    VkCommandBufferUsageFlags usage);
absl::StatusOr<CommandPoolHandle> MakeVulkanCommandPool(
    const std::shared_ptr<VulkanContext>& context);

// The commands behind it in the queue see all that those before it wrote, where both are of these
// kinds. Applications may use memory that they share in any command.
struct VulkanAccess {
  VkPipelineStageFlags stages;
  VkAccessFlags accesses;
};
inline constexpr VulkanAccess kLaunchAccess = {
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
inline constexpr VulkanAccess kCopyAccess = {
    VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
inline constexpr VulkanAccess kHostAccess = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
inline constexpr VulkanAccess kAnyAccess = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
void RecordVulkanBarrier(const VulkanFunctions& vk, VkCommandBuffer commands,
                         const VulkanAccess& before, const VulkanAccess& after);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_CONTEXT_H_
