// SPDX-License-Identifier: Apache-2.0
// Memory that the host sees stays mapped; the driver unmaps what it frees.
#include "gpu/backends/vulkan/vk_memory.h"

#include <algorithm>

#include "base/status.h"

namespace tern::gpu {
namespace {

VkBufferUsageFlags UsageFor(VulkanMemory kind) {
  constexpr VkBufferUsageFlags kCopies =
      VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  switch (kind) {
    case VulkanMemory::kLaunches:
      return kCopies | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
             VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    case VulkanMemory::kStaging:
      return kCopies;
    case VulkanMemory::kUniforms:
      return VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
  }
  return 0;
}

// Of texels that are slices of such elements. Every device has texel buffers of these.
VkFormat FormatOf(Element element) {
  switch (element) {
    case Element::kFloat16:
      return VK_FORMAT_R16G16B16A16_SFLOAT;
    case Element::kInt32:
      return VK_FORMAT_R32G32B32A32_SINT;
    case Element::kByte:
      return VK_FORMAT_R8G8B8A8_UINT;
    default:
      return VK_FORMAT_R32G32B32A32_SFLOAT;
  }
}

}  // namespace

absl::StatusOr<std::shared_ptr<VulkanBuffer>> VulkanBuffer::Create(
    const std::shared_ptr<VulkanContext>& context, int64_t bytes, VulkanMemory kind, int64_t room) {
  std::shared_ptr<VulkanBuffer> made(new VulkanBuffer(context, bytes));
  const absl::Status status = made->Allocate(kind, room);
  if (!status.ok()) return WithPrefix(status, StrCat("a buffer of ", bytes, " bytes"));
  return made;
}

std::shared_ptr<VulkanBuffer> VulkanBuffer::Share(const std::shared_ptr<VulkanContext>& context,
                                                  VkBuffer buffer, int64_t bytes) {
  return std::shared_ptr<VulkanBuffer>(new VulkanBuffer(context, bytes, buffer));
}

int64_t VulkanBuffer::BoundBytes(int64_t offset, int64_t bytes) const {
  return std::min(WholeVulkanSlices(bytes), end() - offset);
}

absl::StatusOr<BufferViewHandle> VulkanBuffer::TexelView(int64_t offset, int64_t bytes,
                                                         Element element) const {
  if (shared_ != VK_NULL_HANDLE) return Invalid("texels of a buffer of the application");
  VkBufferViewCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  info.buffer = get();
  info.format = FormatOf(element);
  info.offset = static_cast<VkDeviceSize>(offset);
  info.range = static_cast<VkDeviceSize>(bytes);
  return MakeVulkan<BufferViewHandle>(context_, &VulkanFunctions::CreateBufferView, info,
                                      "vkCreateBufferView");
}

absl::Status VulkanBuffer::Allocate(VulkanMemory kind, int64_t room) {
  const VulkanFunctions& vk = context_->vk();
  VkBufferCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = static_cast<VkDeviceSize>(WholeVulkanSlices(bytes_) + room);
  info.usage = UsageFor(kind);
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  TERN_ASSIGN_OR_RETURN(buffer_, MakeVulkan<BufferHandle>(context_, &VulkanFunctions::CreateBuffer,
                                                          info, "vkCreateBuffer"));
  VkMemoryRequirements needs = {};
  vk.GetBufferMemoryRequirements(context_->device(), buffer_.get(), &needs);
  VkMemoryAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = needs.size;
  const bool mapped = kind != VulkanMemory::kLaunches || context_->shares_memory();
  TERN_ASSIGN_OR_RETURN(allocate.memoryTypeIndex,
                        mapped ? context_->HostMemoryType(needs.memoryTypeBits)
                               : context_->DeviceMemoryType(needs.memoryTypeBits));
  TERN_ASSIGN_OR_RETURN(
      memory_, MakeVulkan<MemoryHandle>(context_, &VulkanFunctions::AllocateMemory, allocate,
                                        "vkAllocateMemory"));
  TERN_RETURN_IF_ERROR(
      context_->Result(vk.BindBufferMemory(context_->device(), buffer_.get(), memory_.get(), 0),
                       "vkBindBufferMemory"));
  if (!mapped) return absl::OkStatus();
  void* memory = nullptr;
  TERN_RETURN_IF_ERROR(context_->Result(
      vk.MapMemory(context_->device(), memory_.get(), 0, VK_WHOLE_SIZE, 0, &memory),
      "vkMapMemory"));
  mapped_ = static_cast<std::byte*>(memory);
  return absl::OkStatus();
}

}  // namespace tern::gpu
