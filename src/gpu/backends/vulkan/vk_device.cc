// SPDX-License-Identifier: Apache-2.0
// Each device of a context has a queue of its own.
#include "gpu/backends/vulkan/vk_device.h"

#include <cstdlib>
#include <utility>

#include "base/status.h"
#include "gpu/backends/vulkan/vk_commands.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/backends/vulkan/vk_device_info.h"
#include "gpu/backends/vulkan/vk_memory.h"
#include "gpu/backends/vulkan/vk_pipeline.h"
#include "gpu/backends/vulkan/vk_queue.h"
#include "gpu/device/device_choice.h"
#include "gpu/device/launch_checks.h"
#include "gpu/device/own_objects.h"
#include "gpu/device/texel_forms.h"
#include "gpu/languages/vulkan_language.h"

namespace tern::gpu {
namespace {

// Handles are pointers, or numbers on 32 bits.
VkBuffer BufferOf(uint64_t number) {
#if VK_USE_64_BIT_PTR_DEFINES
  return reinterpret_cast<VkBuffer>(static_cast<uintptr_t>(number));
#else
  return number;
#endif
}

class VulkanDevice : public Device {
 public:
  VulkanDevice(std::shared_ptr<VulkanContext> context, std::shared_ptr<VulkanCompiler> compiler,
               DeviceInfo info)
      : context_(std::move(context)),
        compiler_(std::move(compiler)),
        info_(std::move(info)),
        queue_(context_) {}

  const DeviceInfo& info() const override { return info_; }
  const Language& language() const override { return language_; }

  absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t bytes) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_RETURN_IF_ERROR(CheckBufferSize(bytes, info_));
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer,
                          VulkanBuffer::Create(context_, bytes, VulkanMemory::kLaunches,
                                               RoomForTexels(WholeVulkanSlices(bytes), info_)));
    return buffer;
  }

  absl::Status Upload(const BufferRange& to, const void* from, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(const VulkanBuffer* buffer,
                          CheckRange<VulkanBuffer>(to, bytes, context_.get()));
    if (bytes == 0) return absl::OkStatus();
    return queue_.Upload(*buffer, to.offset, from, bytes);
  }

  absl::Status Download(const BufferRange& from, void* to, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(const VulkanBuffer* buffer,
                          CheckRange<VulkanBuffer>(from, bytes, context_.get()));
    if (bytes == 0) return absl::OkStatus();
    return queue_.Download(*buffer, from.offset, to, bytes);
  }

  absl::StatusOr<BufferRange> Import(const SharedBuffer& given) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    if (context_->owned()) return Device::Import(given);
    if (given.number == 0) return Invalid("the Vulkan buffer is VK_NULL_HANDLE");
    TERN_RETURN_IF_ERROR(CheckBufferSize(given.bytes, info_));
    return BufferRange{VulkanBuffer::Share(context_, BufferOf(given.number), given.bytes), 0,
                       given.bytes};
  }

  absl::StatusOr<std::shared_ptr<Pipeline>> Compile(const ProgramSource& source) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Pipeline> pipeline,
                          VulkanPipeline::Build(context_, *compiler_, source));
    return pipeline;
  }

  absl::StatusOr<std::shared_ptr<Pipeline>> Load(const ProgramSource& source,
                                                 const ProgramBinary& binary) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Pipeline> pipeline,
                          VulkanPipeline::Load(context_, source, binary));
    return pipeline;
  }

  absl::StatusOr<std::unique_ptr<Commands>> Record(const std::vector<Launch>& launches) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(std::unique_ptr<Commands> commands,
                          VulkanCommands::Record(context_, info_, launches));
    return commands;
  }

  absl::Status Submit(Commands& commands) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(const VulkanCommands* mine,
                          CheckCommands<VulkanCommands>(commands, context_.get()));
    return mine->Submit(queue_);
  }

  absl::Status Wait() override {
    TERN_RETURN_IF_ERROR(context_->Check());
    return queue_.Wait();
  }

  absl::StatusOr<std::vector<LaunchTime>> RunTimed(Commands& commands) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(const VulkanCommands* mine,
                          CheckCommands<VulkanCommands>(commands, context_.get()));
    return mine->RunTimed(queue_);
  }

  // Buffers and commands belong to the context, so another device over it takes them.
  std::shared_ptr<Queue> NewQueue() override {
    return std::make_shared<VulkanDevice>(context_, compiler_, info_);
  }

  bool lost() const override { return context_->lost(); }

 private:
  const std::shared_ptr<VulkanContext> context_;
  const std::shared_ptr<VulkanCompiler> compiler_;
  const DeviceInfo info_;
  const VulkanLanguage language_;
  VulkanQueue queue_;
};

absl::StatusOr<std::shared_ptr<Device>> OpenCandidate(
    const std::shared_ptr<VulkanInstance>& instance, const VulkanCandidate& candidate,
    const VulkanOptions& options) {
  DeviceInfo info = ReadVulkanDeviceInfo(*instance, candidate);
  if (options.minimum) LowerToVulkanMinimum(info);
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<VulkanContext> context,
                        VulkanContext::Create(instance, candidate, options.minimum));
  return std::make_shared<VulkanDevice>(
      std::move(context), std::make_shared<VulkanCompiler>(options.compilers), std::move(info));
}

}  // namespace

absl::StatusOr<std::shared_ptr<Device>> OpenVulkanDevice(const VulkanFunctions& functions,
                                                         const VulkanOptions& options) {
  TERN_ASSIGN_OR_RETURN(const std::shared_ptr<VulkanInstance> instance,
                        VulkanInstance::Create(functions));
  TERN_ASSIGN_OR_RETURN(const std::vector<VulkanCandidate> all, ListVulkanDevices(*instance));
  std::vector<std::string> names;
  for (const VulkanCandidate& candidate : all) names.emplace_back(candidate.properties.deviceName);
  TERN_ASSIGN_OR_RETURN(const std::vector<size_t> chosen,
                        ChooseDevices(names, options.device, "Vulkan"));
  absl::Status first;
  for (const size_t i : chosen) {
    absl::StatusOr<std::shared_ptr<Device>> device = OpenCandidate(instance, all[i], options);
    if (device.ok()) return device;
    if (first.ok()) first = WithPrefix(device.status(), StrCat("Vulkan: ", names[i]));
  }
  return first;
}

absl::StatusOr<std::shared_ptr<Device>> OpenVulkanDevice(VulkanOptions options) {
  TERN_ASSIGN_OR_RETURN(const VulkanFunctions functions, LoadVulkanFunctions(VulkanLibraryNames()));
  const char* const choice = std::getenv("TERN_VULKAN_DEVICE");
  if (options.device.empty() && choice != nullptr) options.device = choice;
  return OpenVulkanDevice(functions, options);
}

absl::StatusOr<std::shared_ptr<Device>> OpenSharedVulkan(const SharedVulkan& shared) {
  if (shared.instance == VK_NULL_HANDLE || shared.physical_device == VK_NULL_HANDLE ||
      shared.device == VK_NULL_HANDLE) {
    return Invalid("Vulkan: instance, physical device or device is VK_NULL_HANDLE");
  }
  if ((shared.lock.lock == nullptr) != (shared.lock.unlock == nullptr))
    return Invalid("Vulkan: of the functions that lock and unlock the queue one is missing");
  TERN_ASSIGN_OR_RETURN(const VulkanFunctions functions,
                        shared.get_function == nullptr
                            ? LoadVulkanFunctions(VulkanLibraryNames())
                            : LoadVulkanFunctions(shared.get_function, shared.instance));
  const std::shared_ptr<VulkanInstance> instance =
      VulkanInstance::Share(functions, shared.instance);
  TERN_ASSIGN_OR_RETURN(
      const VulkanCandidate candidate,
      ReadVulkanCandidate(*instance, shared.physical_device, shared.queue_family));
  if (shared.queue >= candidate.queues) {
    return Invalid("Vulkan: queue family ", shared.queue_family, " has no queue ", shared.queue,
                   " (", candidate.queues, " queues)");
  }
  return std::make_shared<VulkanDevice>(
      VulkanContext::Share(instance, candidate, shared.device, shared.queue, shared.lock),
      std::make_shared<VulkanCompiler>(VulkanCompilerNames()),
      ReadVulkanDeviceInfo(*instance, candidate));
}

}  // namespace tern::gpu
