// SPDX-License-Identifier: Apache-2.0
// Each submission has a fence. Work ends in order, so that the last fence stands for all.
#include "gpu/backends/vulkan/vk_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/status.h"
#include "gpu/backends/vulkan/vk_error.h"

namespace tern::gpu {
namespace {

constexpr int64_t kMaxStagingBytes = int64_t{16} << 20;

}  // namespace

VulkanQueue::VulkanQueue(std::shared_ptr<VulkanContext> context)
    : context_(std::move(context)), queue_(context_->NextQueue()) {}

VulkanQueue::~VulkanQueue() {
  if (context_->Check().ok()) (void)Wait();
}

absl::Status VulkanQueue::Submit(VkCommandBuffer commands, std::shared_ptr<const void> used) {
  VkFenceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  TERN_ASSIGN_OR_RETURN(
      FenceHandle made,
      MakeVulkan<FenceHandle>(context_, &VulkanFunctions::CreateFence, info, "vkCreateFence"));
  const auto fence = std::make_shared<const FenceHandle>(std::move(made));
  VkSubmitInfo submit = {};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  const std::lock_guard<std::mutex> lock(mutex_);
  DropFinished();
  {
    const std::lock_guard<SharedVulkanQueue> turn(*queue_);
    TERN_RETURN_IF_ERROR(context_->Result(
        context_->vk().QueueSubmit(queue_->get(), 1, &submit, fence->get()), "vkQueueSubmit"));
  }
  work_.push_back({fence, std::move(used)});
  return absl::OkStatus();
}

void VulkanQueue::DropFinished() {
  while (!work_.empty() && context_->vk().GetFenceStatus(
                               context_->device(), work_.front().fence->get()) == VK_SUCCESS) {
    work_.pop_front();
  }
}

absl::Status VulkanQueue::Wait() {
  std::shared_ptr<const FenceHandle> last;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (work_.empty()) return absl::OkStatus();
    last = work_.back().fence;
  }
  const VkFence fence = last->get();
  const absl::Status status = context_->Result(
      context_->vk().WaitForFences(context_->device(), 1, &fence, VK_TRUE, UINT64_MAX),
      "vkWaitForFences");
  const std::lock_guard<std::mutex> lock(mutex_);
  if (status.ok()) {
    DropFinished();
  } else if (context_->lost()) {
    work_.clear();  // nothing runs any more
  }
  return status;
}

absl::Status VulkanQueue::Upload(const VulkanBuffer& to, int64_t offset, const void* from,
                                 int64_t bytes) {
  if (to.mapped() != nullptr) {
    TERN_RETURN_IF_ERROR(Wait());
    std::memcpy(to.mapped() + offset, from, static_cast<size_t>(bytes));
    return absl::OkStatus();
  }
  return CopyStaged(to, offset, bytes, true, [&](std::byte* staging, int64_t at, int64_t count) {
    std::memcpy(staging, static_cast<const std::byte*>(from) + at, static_cast<size_t>(count));
  });
}

absl::Status VulkanQueue::Download(const VulkanBuffer& from, int64_t offset, void* to,
                                   int64_t bytes) {
  if (from.mapped() != nullptr) {
    TERN_RETURN_IF_ERROR(Wait());
    std::memcpy(to, from.mapped() + offset, static_cast<size_t>(bytes));
    return absl::OkStatus();
  }
  return CopyStaged(from, offset, bytes, false, [&](std::byte* staging, int64_t at, int64_t count) {
    std::memcpy(static_cast<std::byte*>(to) + at, staging, static_cast<size_t>(count));
  });
}

absl::Status VulkanQueue::CopyStaged(
    const VulkanBuffer& buffer, int64_t offset, int64_t bytes, bool to_device,
    const std::function<void(std::byte* staging, int64_t at, int64_t count)>& piece) {
  const std::lock_guard<std::mutex> lock(staging_mutex_);
  TERN_RETURN_IF_ERROR(ReserveStaging(std::min(bytes, kMaxStagingBytes)));
  for (int64_t at = 0; at < bytes; at += kMaxStagingBytes) {
    const int64_t count = std::min(bytes - at, kMaxStagingBytes);
    if (to_device) piece(staging_->mapped(), at, count);
    TERN_RETURN_IF_ERROR(CopyPiece(buffer, offset + at, count, to_device));
    if (!to_device) piece(staging_->mapped(), at, count);
  }
  return absl::OkStatus();
}

absl::Status VulkanQueue::ReserveStaging(int64_t bytes) {
  if (staging_ != nullptr && staging_->bytes() >= bytes) return absl::OkStatus();
  staging_ = nullptr;
  TERN_ASSIGN_OR_RETURN(staging_, VulkanBuffer::Create(context_, bytes, VulkanMemory::kStaging));
  return absl::OkStatus();
}

absl::Status VulkanQueue::CopyPiece(const VulkanBuffer& buffer, int64_t offset, int64_t bytes,
                                    bool to_device) {
  const VulkanFunctions& vk = context_->vk();
  TERN_ASSIGN_OR_RETURN(CommandPoolHandle pool, MakeVulkanCommandPool(context_));
  TERN_ASSIGN_OR_RETURN(
      const VkCommandBuffer commands,
      BeginVulkanCommands(context_, pool, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
  RecordVulkanBarrier(vk, commands, kAnyAccess, kCopyAccess);
  const auto at = static_cast<VkDeviceSize>(offset);
  const VkBufferCopy region = {to_device ? 0 : at, to_device ? at : 0,
                               static_cast<VkDeviceSize>(bytes)};
  vk.CmdCopyBuffer(commands, to_device ? staging_->get() : buffer.get(),
                   to_device ? buffer.get() : staging_->get(), 1, &region);
  if (!to_device) RecordVulkanBarrier(vk, commands, kCopyAccess, kHostAccess);
  TERN_RETURN_IF_ERROR(context_->Result(vk.EndCommandBuffer(commands), "vkEndCommandBuffer"));
  TERN_RETURN_IF_ERROR(
      Submit(commands, std::make_shared<const CommandPoolHandle>(std::move(pool))));
  return Wait();
}

}  // namespace tern::gpu
