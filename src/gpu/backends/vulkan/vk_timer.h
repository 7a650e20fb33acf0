// SPDX-License-Identifier: Apache-2.0
// Readings of the device's clock around each launch.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_TIMER_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_TIMER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class VulkanTimer {
 public:
  // Unimplemented: the device has no clock.
  static absl::StatusOr<VulkanTimer> Create(const std::shared_ptr<VulkanContext>& context,
                                            size_t launches);

  // To be kept as long as commands with readings may run.
  const std::shared_ptr<const QueryPoolHandle>& pool() const { return pool_; }

  // Records, in this order: the start, then a reading before the first launch and after each.
  void Reset(const VulkanFunctions& vk, VkCommandBuffer commands) const;
  void Stamp(const VulkanFunctions& vk, VkCommandBuffer commands);

  // Once the commands have finished.
  absl::StatusOr<std::vector<LaunchTime>> Times(VulkanContext& context) const;

 private:
  std::shared_ptr<const QueryPoolHandle> pool_;
  uint32_t count_ = 0, next_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_TIMER_H_
