// SPDX-License-Identifier: Apache-2.0
// Work in the order in which it was handed over, with what it uses, and copies.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_QUEUE_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_QUEUE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/backends/vulkan/vk_memory.h"

namespace tern::gpu {

// Safe to use from several threads.
class VulkanQueue {
 public:
  explicit VulkanQueue(std::shared_ptr<VulkanContext> context);
  // Waits for the work.
  ~VulkanQueue();
  VulkanQueue(const VulkanQueue&) = delete;
  VulkanQueue& operator=(const VulkanQueue&) = delete;

  // Returns before the commands have run; `used` lives until then.
  absl::Status Submit(VkCommandBuffer commands, std::shared_ptr<const void> used);
  // Waits for all that was submitted so far.
  absl::Status Wait();

  absl::Status Upload(const VulkanBuffer& to, int64_t offset, const void* from, int64_t bytes);
  absl::Status Download(const VulkanBuffer& from, int64_t offset, void* to, int64_t bytes);

 private:
  struct Work {
    std::shared_ptr<const FenceHandle> fence;
    std::shared_ptr<const void> used;
  };

  void DropFinished();
  // Copies between memory that only the device sees and the staging buffer, a piece at a time;
  // `piece` is called before it or after it with the place in the whole.
  absl::Status CopyStaged(
      const VulkanBuffer& buffer, int64_t offset, int64_t bytes, bool to_device,
      const std::function<void(std::byte* staging, int64_t at, int64_t count)>& piece);
  absl::Status ReserveStaging(int64_t bytes);
  absl::Status CopyPiece(const VulkanBuffer& buffer, int64_t offset, int64_t bytes, bool to_device);

  const std::shared_ptr<VulkanContext> context_;
  const std::shared_ptr<SharedVulkanQueue> queue_;
  std::mutex mutex_;  // of the list
  std::deque<Work> work_;
  std::mutex staging_mutex_;
  std::shared_ptr<VulkanBuffer> staging_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_QUEUE_H_
