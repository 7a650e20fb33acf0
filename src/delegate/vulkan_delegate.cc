// SPDX-License-Identifier: Apache-2.0
// The functions for Vulkan alone: other options and another form of the one delegate.
#include "tensorflow/lite/delegates/gpu/vulkan_delegate.h"

#include <memory>
#include <string>
#include <utility>

#include "base/status.h"
#include "delegate/gpu_delegate.h"
#include "delegate/options.h"
#include "gpu/backends/opened_devices.h"
#include "gpu/backends/vulkan/vk_device.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern::delegate {
namespace {

constexpr char kCreate[] = "TfLiteVulkanDelegateCreate";
constexpr DelegateForm kForm = {"TfLiteVulkanDelegate", kTfLiteDelegateFlagsNone, true, "Vulkan"};

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
  DelegateOptions options = DefaultOptions();
  options.backend = "vulkan";
  options.backend_option = kCreate;
  options.documented.is_precision_loss_allowed = from->precision_loss_allowed != 0;
  options.documented.experimental_flags = TFLITE_GPU_EXPERIMENTAL_FLAGS_NONE;
  return CreateDelegate(std::make_shared<DelegateCore>(options, gpu::Opened(std::move(device))),
                        kForm);
}

uint64_t NumberOf(VkBuffer buffer) {
#if VK_USE_64_BIT_PTR_DEFINES
  return reinterpret_cast<uintptr_t>(buffer);
#else
  return buffer;
#endif
}

absl::Status Bind(const TfLiteDelegate* delegate, VkBuffer buffer, VkDeviceSize bytes, int tensor) {
  const std::shared_ptr<DelegateCore> core = FindCore(delegate);
  if (core == nullptr || !core->created_by(kCreate))
    return Invalid("the delegate is none of TfLiteVulkanDelegateCreate");
  constexpr VkDeviceSize kMax = INT64_MAX;
  return core->BindBuffer(
      tensor, {NumberOf(buffer), static_cast<int64_t>(bytes < kMax ? bytes : kMax)}, nullptr);
}

void Log(const char* function, const absl::Status& status) {
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "%s: %s", function,
                  std::string(Message(status)).c_str());
}

}  // namespace
}  // namespace tern::delegate

extern "C" {

TfLiteVulkanDelegateOptions TfLiteVulkanDelegateOptionsDefault(void) { return {}; }

TfLiteDelegate* TfLiteVulkanDelegateCreate(const TfLiteVulkanDelegateOptions* options) {
  const absl::StatusOr<TfLiteDelegate*> made = tern::delegate::Create(options);
  if (made.ok()) return *made;
  tern::delegate::Log(tern::delegate::kCreate, made.status());
  return nullptr;
}

void TfLiteVulkanDelegateDelete(TfLiteDelegate* delegate) {
  tern::delegate::DeleteDelegate(delegate);
}

TfLiteStatus TfLiteVulkanDelegateBindBufferToTensor(TfLiteDelegate* delegate, VkBuffer buffer,
                                                    VkDeviceSize bytes, int tensor_index) {
  const absl::Status status = tern::delegate::Bind(delegate, buffer, bytes, tensor_index);
  if (status.ok()) return kTfLiteOk;
  tern::delegate::Log("TfLiteVulkanDelegateBindBufferToTensor", status);
  return kTfLiteError;
}

}  // extern "C"
