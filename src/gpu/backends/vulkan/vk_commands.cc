// SPDX-License-Identifier: Apache-2.0
// All is recorded once; submitting is a single call of the driver.
#include "gpu/backends/vulkan/vk_commands.h"

#include <utility>

#include "base/status.h"

namespace tern::gpu {

VulkanCommands::VulkanCommands(std::shared_ptr<const Written> written)
    : written_(std::move(written)) {}

absl::StatusOr<std::shared_ptr<const VulkanCommands::Written>> VulkanCommands::Write(
    const std::shared_ptr<const VulkanRecording>& recording, VulkanTimer* timer) {
  auto written = std::make_shared<Written>();
  written->recording = recording;
  if (timer != nullptr) written->stamps = timer->pool();
  TERN_ASSIGN_OR_RETURN(written->pool, MakeVulkanCommandPool(recording->context()));
  TERN_ASSIGN_OR_RETURN(
      written->commands,
      recording->Write(written->pool, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, timer));
  return written;
}

absl::StatusOr<std::unique_ptr<VulkanCommands>> VulkanCommands::Record(
    const std::shared_ptr<VulkanContext>& context, const DeviceInfo& info,
    const std::vector<Launch>& launches) {
  TERN_ASSIGN_OR_RETURN(const std::shared_ptr<const VulkanRecording> recording,
                        VulkanRecording::Create(context, info, launches));
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<const Written> written, Write(recording, nullptr));
  return std::unique_ptr<VulkanCommands>(new VulkanCommands(std::move(written)));
}

bool VulkanCommands::belongs_to(const VulkanContext* context) const {
  return recording().context().get() == context;
}

absl::Status VulkanCommands::Submit(VulkanQueue& queue) const {
  return queue.Submit(written_->commands, written_);
}

absl::StatusOr<std::vector<LaunchTime>> VulkanCommands::RunTimed(VulkanQueue& queue) const {
  TERN_ASSIGN_OR_RETURN(VulkanTimer timer,
                        VulkanTimer::Create(recording().context(), recording().launches()));
  TERN_ASSIGN_OR_RETURN(const std::shared_ptr<const Written> timed,
                        Write(written_->recording, &timer));
  TERN_RETURN_IF_ERROR(queue.Submit(timed->commands, timed));
  TERN_RETURN_IF_ERROR(queue.Wait());
  return timer.Times(*recording().context());
}

}  // namespace tern::gpu
