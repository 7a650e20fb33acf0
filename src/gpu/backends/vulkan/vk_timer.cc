// SPDX-License-Identifier: Apache-2.0
// A query for each reading.
#include "gpu/backends/vulkan/vk_timer.h"

#include <utility>

#include "base/status.h"

namespace tern::gpu {

absl::StatusOr<VulkanTimer> VulkanTimer::Create(const std::shared_ptr<VulkanContext>& context,
                                                size_t launches) {
  if (context->timestamp_bits() == 0)
    return absl::UnimplementedError("the Vulkan device tells no times of launches");
  VkQueryPoolCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = static_cast<uint32_t>(launches + 1);
  TERN_ASSIGN_OR_RETURN(QueryPoolHandle pool,
                        MakeVulkan<QueryPoolHandle>(context, &VulkanFunctions::CreateQueryPool,
                                                    info, "vkCreateQueryPool"));
  VulkanTimer timer;
  timer.count_ = info.queryCount;
  timer.pool_ = std::make_shared<const QueryPoolHandle>(std::move(pool));
  return timer;
}

void VulkanTimer::Reset(const VulkanFunctions& vk, VkCommandBuffer commands) const {
  vk.CmdResetQueryPool(commands, pool_->get(), 0, count_);
}

// When all before it has finished.
void VulkanTimer::Stamp(const VulkanFunctions& vk, VkCommandBuffer commands) {
  vk.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_->get(), next_++);
}

absl::StatusOr<std::vector<LaunchTime>> VulkanTimer::Times(VulkanContext& context) const {
  std::vector<uint64_t> ticks(count_);
  TERN_RETURN_IF_ERROR(context.Result(
      context.vk().GetQueryPoolResults(context.device(), pool_->get(), 0, count_,
                                       count_ * sizeof(uint64_t), ticks.data(), sizeof(uint64_t),
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
      "vkGetQueryPoolResults"));
  const uint32_t bits = context.timestamp_bits();
  const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const double period = context.limits().timestampPeriod;
  const auto nanos = [&](size_t i) {  // the clock may begin again
    return static_cast<uint64_t>(static_cast<double>((ticks[i] - ticks[0]) & mask) * period);
  };
  std::vector<LaunchTime> times;
  for (size_t i = 1; i < ticks.size(); ++i)
    times.push_back(LaunchTime::Between(0, nanos(i - 1), nanos(i)));
  return times;
}

}  // namespace tern::gpu
