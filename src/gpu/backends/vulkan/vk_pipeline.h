// SPDX-License-Identifier: Apache-2.0
// A program as SPIR-V. The group size is a constant that the driver's pipeline is built with, so
// that each group has a pipeline of one shader.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_PIPELINE_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_PIPELINE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/vulkan/vk_compiler.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

inline VkDescriptorType VulkanDescriptorType(const BufferParam& buffer) {
  return buffer.texels ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                       : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

class VulkanPipeline : public Pipeline {
 public:
  static absl::StatusOr<std::shared_ptr<VulkanPipeline>> Build(
      const std::shared_ptr<VulkanContext>& context, VulkanCompiler& compiler,
      const ProgramSource& source);
  static absl::StatusOr<std::shared_ptr<VulkanPipeline>> Load(
      const std::shared_ptr<VulkanContext>& context, const ProgramSource& source,
      const ProgramBinary& binary);

  // The SPIR-V, and the driver's cache of the pipelines that there are so far.
  absl::StatusOr<ProgramBinary> Binary() const override;

  size_t buffers() const { return buffers_.size(); }
  size_t uniforms() const { return uniforms_; }
  const BufferParam& buffer(size_t place) const { return buffers_[place]; }
  bool belongs_to(const VulkanContext* context) const { return context_.get() == context; }

  // Buffers have the bindings from 0 on. Uniforms are push constants or, where those have no room,
  // a uniform block in the binding behind the buffers.
  VkDescriptorSetLayout set_layout() const { return set_layout_.get(); }
  VkPipelineLayout layout() const { return layout_.get(); }
  bool pushes_uniforms() const;

  // The pipeline for this group, which lives as long as this. Any thread may call it.
  absl::StatusOr<VkPipeline> ForGroup(const Int3& group);
  // The same, or VK_NULL_HANDLE where it was not made yet.
  VkPipeline Find(const Int3& group);

 private:
  VulkanPipeline(std::shared_ptr<VulkanContext> context, const Signature& signature, Spirv spirv);

  absl::Status Create(const Int3& group, std::span<const uint8_t> cache);
  absl::Status CreateLayouts();

  const std::shared_ptr<VulkanContext> context_;
  const std::vector<BufferParam> buffers_;
  const size_t uniforms_;
  const Spirv spirv_;
  ShaderHandle shader_;
  SetLayoutHandle set_layout_;
  PipelineLayoutHandle layout_;
  PipelineCacheHandle cache_;
  std::mutex mutex_;
  std::map<Int3, PipelineHandle> pipelines_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_PIPELINE_H_
