// SPDX-License-Identifier: Apache-2.0
// The documented functions for Metal: other options and another form of the one delegate.
#include "tensorflow/lite/delegates/gpu/metal_delegate.h"

#include <cstring>
#include <memory>

#include "base/status.h"
#include "delegate/gpu_delegate.h"
#include "delegate/options.h"
#include "tensorflow/lite/delegates/gpu/metal_delegate_internal.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern::delegate {
namespace {

constexpr char kMetalCreate[] = "TFLGpuDelegateCreate";
constexpr DelegateForm kMetalForm = {"TfLiteMetalDelegate", kTfLiteDelegateFlagsNone, false,
                                     "Metal"};

// As a number: a program in C may have any there, which is no value of the type in C++.
int WaitOf(const TFLGpuDelegateOptions& options) {
  int wait = 0;
  static_assert(sizeof(wait) == sizeof(options.wait_type));
  std::memcpy(&wait, &options.wait_type, sizeof(wait));
  return wait;
}

const char* BackendOf(int wait) {
  switch (wait) {
    case TFLGpuDelegateWaitTypeActive:
      return "metal:active";
    case TFLGpuDelegateWaitTypeAggressive:
      return "metal:aggressive";
    default:
      return "metal";
  }
}

DelegateOptions OptionsOf(const TFLGpuDelegateOptions& from) {
  DelegateOptions options = OptionsOfApi(BackendOf(WaitOf(from)), kMetalCreate,
                                         from.allow_precision_loss, from.enable_quantization);
  options.binds_later = true;
  options.waits = WaitOf(from) != TFLGpuDelegateWaitTypeDoNotWait;
  return options;
}

uint64_t NumberOf(const void* object) { return reinterpret_cast<uintptr_t>(object); }

absl::Status Bind(const TfLiteDelegate* delegate, int tensor, const void* buffer) {
  TERN_ASSIGN_OR_RETURN(const auto core, FindCreatedBy(kMetalCreate, delegate));
  return core->BindBufferLater(tensor, NumberOf(buffer));
}

absl::Status SetCommandBuffer(const TfLiteDelegate* delegate, const void* command_buffer) {
  TERN_ASSIGN_OR_RETURN(const auto core, FindCreatedBy(kMetalCreate, delegate));
  if (command_buffer == nullptr) return Invalid("the Metal command buffer is nil");
  core->SetCommandBuffer(NumberOf(command_buffer));
  return absl::OkStatus();
}

}  // namespace
}  // namespace tern::delegate

extern "C" {

TFLGpuDelegateOptions TFLGpuDelegateOptionsDefault(void) {
  return {false, TFLGpuDelegateWaitTypePassive, true};
}

TfLiteDelegate* TFLGpuDelegateCreate(const TFLGpuDelegateOptions* options) {
  using namespace tern::delegate;
  const TFLGpuDelegateOptions given =
      options != nullptr ? *options : TFLGpuDelegateOptionsDefault();
  const int wait = WaitOf(given);
  if (wait < TFLGpuDelegateWaitTypePassive || wait > TFLGpuDelegateWaitTypeAggressive) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING,
                    "TFLGpuDelegateCreate: wait_type %d is taken for passive (0 to 3 are there)",
                    wait);
  }
  return CreateDelegate(std::make_shared<DelegateCore>(OptionsOf(given)), kMetalForm);
}

void TFLGpuDelegateDelete(TfLiteDelegate* delegate) { tern::delegate::DeleteDelegate(delegate); }

bool TFLGpuDelegateBindMetalBufferToTensor(TfLiteDelegate* delegate, int tensor_index,
                                           TFLGpuDelegateMetalBuffer metal_buffer) {
  using namespace tern::delegate;
  return Succeeded("TFLGpuDelegateBindMetalBufferToTensor",
                   Bind(delegate, tensor_index, metal_buffer));
}

}  // extern "C"

bool TFLGpuDelegateSetCommandBuffer(TfLiteDelegate* delegate,
                                    TFLGpuDelegateMetalCommandBuffer command_buffer) {
  using namespace tern::delegate;
  return Succeeded("TFLGpuDelegateSetCommandBuffer", SetCommandBuffer(delegate, command_buffer));
}
