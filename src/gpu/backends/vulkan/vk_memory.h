// SPDX-License-Identifier: Apache-2.0
// Buffers, with memory of their own each: a plan has few.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_MEMORY_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// Programs take and put whole slices.
inline constexpr int64_t kVulkanSliceBytes = 16;

inline int64_t WholeVulkanSlices(int64_t bytes) {
  return (bytes + kVulkanSliceBytes - 1) / kVulkanSliceBytes * kVulkanSliceBytes;
}

enum class VulkanMemory {
  kLaunches,  // for programs and copies: the host sees it where that costs nothing
  kStaging,   // for copies alone; the host sees it
  kUniforms,  // uniform blocks; the host sees it
};

class VulkanBuffer : public Buffer {
 public:
  static absl::StatusOr<std::shared_ptr<VulkanBuffer>> Create(
      const std::shared_ptr<VulkanContext>& context, int64_t bytes, VulkanMemory kind);

  int64_t bytes() const { return bytes_; }
  VkBuffer get() const { return buffer_.get(); }
  bool belongs_to(const VulkanContext* context) const { return context_.get() == context; }

  // The memory, where the host sees it; else null.
  std::byte* mapped() const { return mapped_; }

 private:
  VulkanBuffer(std::shared_ptr<VulkanContext> context, int64_t bytes)
      : context_(std::move(context)), bytes_(bytes) {}
  absl::Status Allocate(VulkanMemory kind);

  const std::shared_ptr<VulkanContext> context_;
  const int64_t bytes_;
  MemoryHandle memory_;  // ends after the buffer
  BufferHandle buffer_;
  std::byte* mapped_ = nullptr;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_MEMORY_H_
