// SPDX-License-Identifier: Apache-2.0
// Checked launches with all objects that their commands need, allocated once. Work under way keeps
// it.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_RECORDING_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_RECORDING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/backends/vulkan/vk_hazards.h"
#include "gpu/backends/vulkan/vk_memory.h"
#include "gpu/backends/vulkan/vk_pipeline.h"
#include "gpu/backends/vulkan/vk_timer.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class VulkanRecording {
 public:
  static absl::StatusOr<std::shared_ptr<const VulkanRecording>> Create(
      const std::shared_ptr<VulkanContext>& context, const DeviceInfo& info,
      const std::vector<Launch>& launches);

  const std::shared_ptr<VulkanContext>& context() const { return context_; }
  size_t launches() const { return steps_.size(); }
  // Launches behind a barrier.
  int barriers() const;

  // Records all launches into a command buffer of the pool. With a timer each runs alone.
  absl::StatusOr<VkCommandBuffer> Write(const CommandPoolHandle& pool,
                                        VkCommandBufferUsageFlags usage, VulkanTimer* timer) const;

 private:
  struct Step {
    std::shared_ptr<Pipeline> keep;  // owns `program` and `pipeline`
    VulkanPipeline* program = nullptr;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;
    std::vector<std::shared_ptr<Buffer>> buffers;
    std::vector<VkDescriptorBufferInfo> ranges;  // of the buffers, then of the uniform block
    std::vector<VkBufferView> views;             // of the buffers; null: no texel buffer
    std::vector<uint32_t> uniform_words;
    Int3 groups = {1, 1, 1};
    bool after_barrier = false;
  };

  explicit VulkanRecording(std::shared_ptr<VulkanContext> context) : context_(std::move(context)) {}

  absl::Status Add(const Launch& launch, const DeviceInfo& info);
  absl::Status MakePipelines(const std::vector<Launch>& launches);
  absl::Status AddRanges(const Launch& launch, const DeviceInfo& info, Step& to);
  absl::StatusOr<VkBufferView> ViewOf(const VulkanBuffer& buffer, int64_t offset, int64_t bytes,
                                      Element element);
  int64_t BlockStride(const Step& step) const;
  absl::Status WriteUniformBlocks();
  absl::Status MakeSets();
  static VkDescriptorType TypeOf(const Step& step, size_t binding);
  void WriteSet(const Step& step) const;
  void WriteStep(const Step& step, VkCommandBuffer to) const;

  const std::shared_ptr<VulkanContext> context_;
  std::vector<Step> steps_;
  LaunchHazards hazards_;
  // By buffer, offset, bytes and element; for all launches.
  std::map<std::tuple<const VulkanBuffer*, int64_t, int64_t, Element>, BufferViewHandle> views_;
  std::shared_ptr<VulkanBuffer> blocks_;  // of uniforms; null without any
  DescriptorPoolHandle sets_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_RECORDING_H_
