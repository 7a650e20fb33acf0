// SPDX-License-Identifier: Apache-2.0
// From texts and binaries to pipelines.
#include "gpu/backends/vulkan/vk_pipeline.h"

#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/status.h"
#include "gpu/backends/vulkan/vk_error.h"
#include "gpu/languages/vulkan_language.h"

namespace tern::gpu {
namespace {

// The start of a binary. SPIR-V and the driver's cache follow.
struct BinaryHead {
  uint32_t magic = kMagic;
  uint32_t buffers = 0;
  uint32_t uniforms = 0;
  uint32_t words = 0;  // of SPIR-V
  uint64_t hash = 0;   // of all that follows

  static constexpr uint32_t kMagic = 0x314B5654;  // "TVK1"
};

struct BinaryParts {
  Spirv spirv;
  std::span<const uint8_t> cache;
};

// Drivers trust SPIR-V, and take a cache that is none of theirs for empty.
absl::StatusOr<BinaryParts> Split(const ProgramBinary& binary, const Signature& signature) {
  if (binary.bytes == nullptr) return Invalid("there is no program binary");
  const std::span<const uint8_t> bytes(*binary.bytes);
  BinaryHead head;
  if (bytes.size() < sizeof(head)) return Invalid("the program binary is too short");
  std::memcpy(&head, bytes.data(), sizeof(head));
  const std::span<const uint8_t> rest = bytes.subspan(sizeof(head));
  if (head.magic != BinaryHead::kMagic || head.words > rest.size() / sizeof(uint32_t) ||
      head.hash != HashBytes(rest)) {
    return Invalid("the program binary is none of this backend");
  }
  if (head.buffers != signature.buffers.size() || head.uniforms != signature.uniforms.size())
    return Invalid("the program binary takes other arguments");
  BinaryParts parts;
  parts.spirv.resize(head.words);
  std::memcpy(parts.spirv.data(), rest.data(), head.words * sizeof(uint32_t));
  parts.cache = rest.subspan(head.words * sizeof(uint32_t));
  return parts;
}

}  // namespace

VulkanPipeline::VulkanPipeline(std::shared_ptr<VulkanContext> context, const Signature& signature,
                               Spirv spirv)
    : context_(std::move(context)),
      buffers_(signature.buffers),
      uniforms_(signature.uniforms.size()),
      spirv_(std::move(spirv)) {}

absl::StatusOr<std::shared_ptr<VulkanPipeline>> VulkanPipeline::Build(
    const std::shared_ptr<VulkanContext>& context, VulkanCompiler& compiler,
    const ProgramSource& source) {
  TERN_ASSIGN_OR_RETURN(Spirv spirv, compiler.Compile(source.text));
  std::shared_ptr<VulkanPipeline> made(
      new VulkanPipeline(context, source.signature, std::move(spirv)));
  TERN_RETURN_IF_ERROR(made->Create(source.signature.group, {}));
  return made;
}

absl::StatusOr<std::shared_ptr<VulkanPipeline>> VulkanPipeline::Load(
    const std::shared_ptr<VulkanContext>& context, const ProgramSource& source,
    const ProgramBinary& binary) {
  TERN_ASSIGN_OR_RETURN(BinaryParts parts, Split(binary, source.signature));
  std::shared_ptr<VulkanPipeline> made(
      new VulkanPipeline(context, source.signature, std::move(parts.spirv)));
  TERN_RETURN_IF_ERROR(made->Create(source.signature.group, parts.cache));
  return made;
}

bool VulkanPipeline::pushes_uniforms() const { return VulkanLanguage::PushesUniforms(uniforms_); }

absl::Status VulkanPipeline::Create(const Int3& group, std::span<const uint8_t> cache) {
  VkShaderModuleCreateInfo shader = {};
  shader.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  shader.codeSize = spirv_.size() * sizeof(uint32_t);
  shader.pCode = spirv_.data();
  TERN_ASSIGN_OR_RETURN(
      shader_, MakeVulkan<ShaderHandle>(context_, &VulkanFunctions::CreateShaderModule, shader,
                                        "vkCreateShaderModule"));
  TERN_RETURN_IF_ERROR(CreateLayouts());
  VkPipelineCacheCreateInfo saved = {};
  saved.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  saved.initialDataSize = cache.size();
  saved.pInitialData = cache.data();
  TERN_ASSIGN_OR_RETURN(
      cache_, MakeVulkan<PipelineCacheHandle>(context_, &VulkanFunctions::CreatePipelineCache,
                                              saved, "vkCreatePipelineCache"));
  return ForGroup(group).status();
}

absl::Status VulkanPipeline::CreateLayouts() {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  const auto add = [&](VkDescriptorType type) {
    bindings.push_back(
        {static_cast<uint32_t>(bindings.size()), type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  };
  for (const BufferParam& buffer : buffers_) add(VulkanDescriptorType(buffer));
  if (!pushes_uniforms()) add(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  VkDescriptorSetLayoutCreateInfo set = {};
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set.bindingCount = static_cast<uint32_t>(bindings.size());
  set.pBindings = bindings.data();
  TERN_ASSIGN_OR_RETURN(set_layout_, MakeVulkan<SetLayoutHandle>(
                                         context_, &VulkanFunctions::CreateDescriptorSetLayout, set,
                                         "vkCreateDescriptorSetLayout"));
  const VkPushConstantRange pushed = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                      static_cast<uint32_t>(uniforms_ * sizeof(uint32_t))};
  const VkDescriptorSetLayout sets = set_layout_.get();
  VkPipelineLayoutCreateInfo layout = {};
  layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &sets;
  layout.pushConstantRangeCount = uniforms_ != 0 && pushes_uniforms() ? 1 : 0;
  layout.pPushConstantRanges = &pushed;
  TERN_ASSIGN_OR_RETURN(
      layout_, MakeVulkan<PipelineLayoutHandle>(context_, &VulkanFunctions::CreatePipelineLayout,
                                                layout, "vkCreatePipelineLayout"));
  return absl::OkStatus();
}

VkPipeline VulkanPipeline::Find(const Int3& group) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = pipelines_.find(group);
  return known == pipelines_.end() ? VK_NULL_HANDLE : known->second.get();
}

absl::StatusOr<VkPipeline> VulkanPipeline::ForGroup(const Int3& group) {
  if (const VkPipeline known = Find(group); known != VK_NULL_HANDLE) return known;
  std::array<VkSpecializationMapEntry, 3> entries;
  std::array<uint32_t, 3> sizes;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    sizes[axis] = static_cast<uint32_t>(group[axis]);
    entries[axis] = {axis, static_cast<uint32_t>(axis * sizeof(uint32_t)), sizeof(uint32_t)};
  }
  const VkSpecializationInfo constants = {3, entries.data(), sizeof(sizes), sizes.data()};
  VkComputePipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = shader_.get();
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  info.layout = layout_.get();
  VkPipeline pipeline = VK_NULL_HANDLE;
  TERN_RETURN_IF_ERROR(
      context_->Result(context_->vk().CreateComputePipelines(context_->device(), cache_.get(), 1,
                                                             &info, nullptr, &pipeline),
                       "vkCreateComputePipelines"));
  PipelineHandle made(context_, pipeline);
  const std::lock_guard<std::mutex> lock(mutex_);
  return pipelines_.try_emplace(group, std::move(made)).first->second.get();
}

absl::StatusOr<ProgramBinary> VulkanPipeline::Binary() const {
  TERN_RETURN_IF_ERROR(context_->Check());
  const auto get = [&](size_t* size, void* data) {
    return context_->Result(
        context_->vk().GetPipelineCacheData(context_->device(), cache_.get(), size, data),
        "vkGetPipelineCacheData");
  };
  size_t size = 0;
  TERN_RETURN_IF_ERROR(get(&size, nullptr));
  std::vector<uint8_t> cache(size);
  TERN_RETURN_IF_ERROR(get(&size, cache.data()));
  cache.resize(size);

  BinaryHead head;
  head.buffers = static_cast<uint32_t>(buffers());
  head.uniforms = static_cast<uint32_t>(uniforms_);
  head.words = static_cast<uint32_t>(spirv_.size());
  const size_t spirv_bytes = spirv_.size() * sizeof(uint32_t);
  std::vector<uint8_t> bytes(sizeof(head) + spirv_bytes);
  std::memcpy(bytes.data() + sizeof(head), spirv_.data(), spirv_bytes);
  bytes.insert(bytes.end(), cache.begin(), cache.end());
  head.hash = HashBytes(std::span<const uint8_t>(bytes).subspan(sizeof(head)));
  std::memcpy(bytes.data(), &head, sizeof(head));
  return ProgramBinary{0, 0, std::make_shared<std::vector<uint8_t>>(std::move(bytes))};
}

}  // namespace tern::gpu
