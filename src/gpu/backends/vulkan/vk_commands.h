// SPDX-License-Identifier: Apache-2.0
// Recorded launches: one command buffer, which may be submitted again while it runs.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_COMMANDS_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_COMMANDS_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/backends/vulkan/vk_queue.h"
#include "gpu/backends/vulkan/vk_recording.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class VulkanCommands : public Commands {
 public:
  static absl::StatusOr<std::unique_ptr<VulkanCommands>> Record(
      const std::shared_ptr<VulkanContext>& context, const DeviceInfo& info,
      const std::vector<Launch>& launches);

  bool belongs_to(const VulkanContext* context) const;
  const VulkanRecording& recording() const { return *written_->recording; }

  absl::Status Submit(VulkanQueue& queue) const;
  // Queue::RunTimed, with commands recorded for it.
  absl::StatusOr<std::vector<LaunchTime>> RunTimed(VulkanQueue& queue) const;

 private:
  // Kept by work under way.
  struct Written {
    std::shared_ptr<const VulkanRecording> recording;
    std::shared_ptr<const QueryPoolHandle> stamps;  // null: not timed
    CommandPoolHandle pool;
    VkCommandBuffer commands = VK_NULL_HANDLE;
  };

  explicit VulkanCommands(std::shared_ptr<const Written> written);
  static absl::StatusOr<std::shared_ptr<const Written>> Write(
      const std::shared_ptr<const VulkanRecording>& recording, VulkanTimer* timer);

  const std::shared_ptr<const Written> written_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_COMMANDS_H_
