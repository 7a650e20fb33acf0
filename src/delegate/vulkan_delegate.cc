// SPDX-License-Identifier: Apache-2.0
// The functions for Vulkan alone: other options and another form of the one delegate.
#include "tensorflow/lite/delegates/gpu/vulkan_delegate.h"

#include <memory>
#include <utility>

#include "base/status.h"
#include "delegate/gpu_delegate.h"
#include "delegate/options.h"
#include "gpu/backends/opened_devices.h"
#include "gpu/backends/vulkan/vk_device.h"

namespace tern::delegate {
namespace {

constexpr char kVulkanCreate[] = "TfLiteVulkanDelegateCreate";
constexpr DelegateForm kVulkanForm = {"TfLiteVulkanDelegate", kTfLiteDelegateFlagsNone, true,
                                      "Vulkan"};

gpu::SharedVulkan SharedBy(const TfLiteVulkanDelegateOptions& from) {
  return {.get_function = from.get_function,
          .instance = from.instance,
          .physical_device = from.physical_device,
          .device = from.device,
          .queue_family = from.queue_family,
          .queue = from.queue,
          .lock = {from.lock_queue, from.unlock_queue, from.queue_lock_data}};
}

absl::StatusOr<TfLiteDelegate*> Create(const TfLiteVulkanDelegateOptions* from) {
  if (from == nullptr) return Invalid("the options are NULL");
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<gpu::Device> device,
                        gpu::OpenSharedVulkan(SharedBy(*from)));
  const DelegateOptions options =
      OptionsOfApi("vulkan", kVulkanCreate, from->precision_loss_allowed != 0, /*quantized=*/false);
  return CreateDelegate(std::make_shared<DelegateCore>(options, gpu::Opened(std::move(device))),
                        kVulkanForm);
}

uint64_t NumberOf(VkBuffer buffer) {
#if VK_USE_64_BIT_PTR_DEFINES
  return reinterpret_cast<uintptr_t>(buffer);
#else
  return buffer;
#endif
}

absl::Status Bind(const TfLiteDelegate* delegate, VkBuffer buffer, VkDeviceSize bytes, int tensor) {
  TERN_ASSIGN_OR_RETURN(const auto core, FindCreatedBy(kVulkanCreate, delegate));
  constexpr VkDeviceSize kMax = INT64_MAX;
  return core->BindBuffer(
      tensor, {NumberOf(buffer), static_cast<int64_t>(bytes < kMax ? bytes : kMax)}, nullptr);
}

}  // namespace
}  // namespace tern::delegate

extern "C" {

TfLiteVulkanDelegateOptions TfLiteVulkanDelegateOptionsDefault(void) { return {}; }

TfLiteDelegate* TfLiteVulkanDelegateCreate(const TfLiteVulkanDelegateOptions* options) {
  using namespace tern::delegate;
  const absl::StatusOr<TfLiteDelegate*> made = Create(options);
  return Succeeded(kVulkanCreate, made.status()) ? *made : nullptr;
}

void TfLiteVulkanDelegateDelete(TfLiteDelegate* delegate) {
  tern::delegate::DeleteDelegate(delegate);
}

TfLiteStatus TfLiteVulkanDelegateBindBufferToTensor(TfLiteDelegate* delegate, VkBuffer buffer,
                                                    VkDeviceSize bytes, int tensor_index) {
  using namespace tern::delegate;
  const absl::Status bound = Bind(delegate, buffer, bytes, tensor_index);
  return StatusOf("TfLiteVulkanDelegateBindBufferToTensor", bound);
}

}  // extern "C"
