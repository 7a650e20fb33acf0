// SPDX-License-Identifier: Apache-2.0
// All checks are made here.
#include "gpu/backends/vulkan/vk_recording.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/status.h"
#include "gpu/device/build_threads.h"
#include "gpu/device/launch_checks.h"
#include "gpu/device/own_objects.h"
#include "gpu/device/texel_forms.h"

namespace tern::gpu {
namespace {

absl::StatusOr<Int3> CheckedGroups(const Launch& launch, const DeviceInfo& info) {
  TERN_ASSIGN_OR_RETURN(const Int3 groups, CountGroups(launch, info));
  for (int axis = 0; axis < 3; ++axis) {
    if (groups[axis] > info.max_grid_groups[axis]) {
      return TooLarge("too many groups (", groups[axis], ", limit ", info.max_grid_groups[axis],
                      ")");
    }
  }
  TERN_RETURN_IF_ERROR(CheckGroupItems(launch, info.max_group_items));
  return groups;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const VulkanRecording>> VulkanRecording::Create(
    const std::shared_ptr<VulkanContext>& context, const DeviceInfo& info,
    const std::vector<Launch>& launches) {
  std::shared_ptr<VulkanRecording> made(new VulkanRecording(context));
  for (const Launch& launch : launches) {
    const absl::Status status = made->Add(launch, info);
    if (!status.ok()) return WithPrefix(status, launch.label);
  }
  TERN_RETURN_IF_ERROR(made->MakePipelines(launches));
  TERN_RETURN_IF_ERROR(made->WriteUniformBlocks());
  TERN_RETURN_IF_ERROR(made->MakeSets());
  return made;
}

int VulkanRecording::barriers() const {
  return static_cast<int>(std::count_if(steps_.begin(), steps_.end(),
                                        [](const Step& step) { return step.after_barrier; }));
}

// Bytes from the start of one uniform block to that of the next.
int64_t VulkanRecording::BlockStride(const Step& step) const {
  if (step.program->pushes_uniforms()) return 0;
  const auto alignment = static_cast<int64_t>(context_->limits().minUniformBufferOffsetAlignment);
  const auto bytes = WholeVulkanSlices(static_cast<int64_t>(step.uniform_words.size() * 4));
  return (bytes + alignment - 1) / alignment * alignment;
}

absl::Status VulkanRecording::Add(const Launch& launch, const DeviceInfo& info) {
  TERN_ASSIGN_OR_RETURN(VulkanPipeline* const program,
                        CheckProgram<VulkanPipeline>(launch, context_.get()));
  Step step;
  step.keep = launch.pipeline;
  step.program = program;
  step.uniform_words = launch.uniform_words;
  TERN_ASSIGN_OR_RETURN(step.groups, CheckedGroups(launch, info));
  TERN_RETURN_IF_ERROR(AddRanges(launch, info, step));
  steps_.push_back(std::move(step));
  return absl::OkStatus();
}

// For some drivers each pipeline is a compilation.
absl::Status VulkanRecording::MakePipelines(const std::vector<Launch>& launches) {
  std::map<std::pair<VulkanPipeline*, Int3>, absl::StatusOr<VkPipeline>> made;
  const auto key = [&](size_t i) { return std::pair(steps_[i].program, launches[i].group); };
  std::vector<decltype(made)::value_type*> missing;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const auto [one, is_new] = made.try_emplace(key(i), steps_[i].program->Find(launches[i].group));
    if (is_new && *one->second == VK_NULL_HANDLE) missing.push_back(&*one);
  }
  OnBuildThreads(missing.size(), [&](size_t i) {
    const auto& [program, group] = missing[i]->first;
    missing[i]->second = program->ForGroup(group);
  });
  for (size_t i = 0; i < steps_.size(); ++i) {
    const absl::StatusOr<VkPipeline>& pipeline = made.find(key(i))->second;
    if (!pipeline.ok()) return WithPrefix(pipeline.status(), launches[i].label);
    steps_[i].pipeline = *pipeline;
  }
  return absl::OkStatus();
}

absl::Status VulkanRecording::AddRanges(const Launch& launch, const DeviceInfo& info, Step& to) {
  if (static_cast<int>(launch.buffers.size()) > info.max_buffers)
    return TooLarge("too many buffers (", launch.buffers.size(), ", limit ", info.max_buffers, ")");
  std::vector<BufferUse> uses;
  int texel_buffers = 0;
  for (size_t i = 0; i < launch.buffers.size(); ++i) {
    const BufferRange& range = launch.buffers[i];
    TERN_RETURN_IF_ERROR(CheckArgument(range, info));
    TERN_ASSIGN_OR_RETURN(const VulkanBuffer* buffer,
                          CheckRange<VulkanBuffer>(range, range.bytes, context_.get()));
    const BufferParam& param = to.program->buffer(i);
    if (param.texels && ++texel_buffers > info.max_texel_buffers) {
      return TooLarge("too many texel buffers (", texel_buffers, ", limit ", info.max_texel_buffers,
                      ")");
    }
    VkBufferView view = VK_NULL_HANDLE;
    int64_t bytes = buffer->BoundBytes(range.offset, range.bytes);
    if (param.texels) {
      // Barriers heed all bytes of a texel buffer, read or not.
      TERN_ASSIGN_OR_RETURN(bytes, TexelBytes(bytes, param.element, info));
      TERN_ASSIGN_OR_RETURN(view, ViewOf(*buffer, range.offset, bytes, param.element));
    }
    to.views.push_back(view);
    to.buffers.push_back(range.buffer);
    to.ranges.push_back(
        {buffer->get(), static_cast<VkDeviceSize>(range.offset), static_cast<VkDeviceSize>(bytes)});
    uses.push_back({buffer, range.offset, range.offset + bytes, param.written});
  }
  to.after_barrier = hazards_.NeedsBarrier(uses);
  return absl::OkStatus();
}

absl::StatusOr<VkBufferView> VulkanRecording::ViewOf(const VulkanBuffer& buffer, int64_t offset,
                                                     int64_t bytes, Element element) {
  BufferViewHandle& view = views_[{&buffer, offset, bytes, element}];
  if (view.get() == VK_NULL_HANDLE) {
    TERN_ASSIGN_OR_RETURN(view, buffer.TexelView(offset, bytes, element));
  }
  return view.get();
}

absl::Status VulkanRecording::WriteUniformBlocks() {
  int64_t bytes = 0;
  for (const Step& step : steps_) bytes += BlockStride(step);
  if (bytes == 0) return absl::OkStatus();
  TERN_ASSIGN_OR_RETURN(blocks_, VulkanBuffer::Create(context_, bytes, VulkanMemory::kUniforms));
  int64_t at = 0;
  for (Step& step : steps_) {
    const int64_t stride = BlockStride(step);
    if (stride == 0) continue;
    const size_t size = step.uniform_words.size() * sizeof(uint32_t);
    std::memcpy(blocks_->mapped() + at, step.uniform_words.data(), size);
    step.ranges.push_back(
        {blocks_->get(), static_cast<VkDeviceSize>(at),
         static_cast<VkDeviceSize>(WholeVulkanSlices(static_cast<int64_t>(size)))});
    at += stride;
  }
  return absl::OkStatus();
}

VkDescriptorType VulkanRecording::TypeOf(const Step& step, size_t binding) {
  return binding < step.buffers.size() ? VulkanDescriptorType(step.program->buffer(binding))
                                       : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

absl::Status VulkanRecording::MakeSets() {
  std::map<VkDescriptorType, uint32_t> needed;
  uint32_t count = 0;
  for (const Step& step : steps_) {
    for (size_t i = 0; i < step.ranges.size(); ++i) ++needed[TypeOf(step, i)];
    count += step.ranges.empty() ? 0 : 1;
  }
  if (count == 0) return absl::OkStatus();
  std::vector<VkDescriptorPoolSize> sizes;
  for (const auto& [type, number] : needed) sizes.push_back({type, number});
  VkDescriptorPoolCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = count;
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  TERN_ASSIGN_OR_RETURN(
      sets_, MakeVulkan<DescriptorPoolHandle>(context_, &VulkanFunctions::CreateDescriptorPool,
                                              info, "vkCreateDescriptorPool"));
  for (Step& step : steps_) {
    if (step.ranges.empty()) continue;
    const VkDescriptorSetLayout layout = step.program->set_layout();
    VkDescriptorSetAllocateInfo allocate = {};
    allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    allocate.descriptorPool = sets_.get();
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &layout;
    TERN_RETURN_IF_ERROR(context_->Result(
        context_->vk().AllocateDescriptorSets(context_->device(), &allocate, &step.set),
        "vkAllocateDescriptorSets"));
    WriteSet(step);
  }
  return absl::OkStatus();
}

void VulkanRecording::WriteSet(const Step& step) const {
  std::vector<VkWriteDescriptorSet> writes(step.ranges.size());
  for (size_t i = 0; i < writes.size(); ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = step.set;
    writes[i].dstBinding = static_cast<uint32_t>(i);
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = TypeOf(step, i);
    writes[i].pBufferInfo = &step.ranges[i];
    if (i < step.views.size()) writes[i].pTexelBufferView = &step.views[i];
  }
  context_->vk().UpdateDescriptorSets(context_->device(), static_cast<uint32_t>(writes.size()),
                                      writes.data(), 0, nullptr);
}

// Begins behind the work before it and ends with results that the host may read.
absl::StatusOr<VkCommandBuffer> VulkanRecording::Write(const CommandPoolHandle& pool,
                                                       VkCommandBufferUsageFlags usage,
                                                       VulkanTimer* timer) const {
  const VulkanFunctions& vk = context_->vk();
  TERN_ASSIGN_OR_RETURN(const VkCommandBuffer made, BeginVulkanCommands(context_, pool, usage));
  if (timer != nullptr) timer->Reset(vk, made);
  RecordVulkanBarrier(vk, made, kAnyAccess, kLaunchAccess);
  if (timer != nullptr) timer->Stamp(vk, made);
  for (const Step& step : steps_) {
    if (step.after_barrier || (timer != nullptr && &step != steps_.data()))
      RecordVulkanBarrier(vk, made, kLaunchAccess, kLaunchAccess);
    WriteStep(step, made);
    if (timer != nullptr) timer->Stamp(vk, made);
  }
  RecordVulkanBarrier(vk, made, kLaunchAccess, kHostAccess);
  TERN_RETURN_IF_ERROR(context_->Result(vk.EndCommandBuffer(made), "vkEndCommandBuffer"));
  return made;
}

void VulkanRecording::WriteStep(const Step& step, VkCommandBuffer to) const {
  const VulkanFunctions& vk = context_->vk();
  const VkPipelineLayout layout = step.program->layout();
  vk.CmdBindPipeline(to, VK_PIPELINE_BIND_POINT_COMPUTE, step.pipeline);
  if (step.set != VK_NULL_HANDLE) {
    vk.CmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &step.set, 0,
                             nullptr);
  }
  if (step.program->pushes_uniforms() && !step.uniform_words.empty()) {
    vk.CmdPushConstants(to, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                        static_cast<uint32_t>(step.uniform_words.size() * sizeof(uint32_t)),
                        step.uniform_words.data());
  }
  vk.CmdDispatch(to, static_cast<uint32_t>(step.groups[0]), static_cast<uint32_t>(step.groups[1]),
                 static_cast<uint32_t>(step.groups[2]));
}

}  // namespace tern::gpu
