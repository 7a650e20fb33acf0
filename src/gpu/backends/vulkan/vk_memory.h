// SPDX-License-Identifier: Apache-2.0
// Buffers. Ours have memory of their own each: a plan has few.
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
  // `room` more bytes are allocated behind it.
  static absl::StatusOr<std::shared_ptr<VulkanBuffer>> Create(
      const std::shared_ptr<VulkanContext>& context, int64_t bytes, VulkanMemory kind,
      int64_t room = 0);
  // A buffer of the application, which keeps it.
  static std::shared_ptr<VulkanBuffer> Share(const std::shared_ptr<VulkanContext>& context,
                                             VkBuffer buffer, int64_t bytes);

  int64_t bytes() const { return bytes_; }
  // Where the memory ends that programs may address.
  int64_t end() const { return shared_ != VK_NULL_HANDLE ? bytes_ : WholeVulkanSlices(bytes_); }
  // Of a range, with the rest of its last slice.
  int64_t BoundBytes(int64_t offset, int64_t bytes) const;
  // A view of a range by its texels, each a slice of such elements.
  absl::StatusOr<BufferViewHandle> TexelView(int64_t offset, int64_t bytes, Element element) const;
  VkBuffer get() const { return shared_ != VK_NULL_HANDLE ? shared_ : buffer_.get(); }
  bool belongs_to(const VulkanContext* context) const { return context_.get() == context; }

  // The memory, where the host sees it; else null.
  std::byte* mapped() const { return mapped_; }

 private:
  VulkanBuffer(std::shared_ptr<VulkanContext> context, int64_t bytes,
               VkBuffer shared = VK_NULL_HANDLE)
      : context_(std::move(context)), bytes_(bytes), shared_(shared) {}
  absl::Status Allocate(VulkanMemory kind, int64_t room);

  const std::shared_ptr<VulkanContext> context_;
  const int64_t bytes_;
  const VkBuffer shared_;  // the application's; null: it is our own
  MemoryHandle memory_;    // ends after the buffer
  BufferHandle buffer_;
  std::byte* mapped_ = nullptr;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_MEMORY_H_
