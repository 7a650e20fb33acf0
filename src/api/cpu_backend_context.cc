// SPDX-License-Identifier: Apache-2.0
// The threads that custom ops may use.
#include "tensorflow/lite/kernels/cpu_backend_context.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tflite {

CpuBackendContext* CpuBackendContext::GetFromContext(TfLiteContext* context) {
  auto* external = static_cast<ExternalCpuBackendContext*>(
      context->GetExternalContext(context, kTfLiteCpuBackendContext));
  if (external == nullptr) {
    TF_LITE_KERNEL_LOG(context, "CpuBackendContext: the context has no external CPU context.");
    return nullptr;
  }
  auto* found = static_cast<CpuBackendContext*>(external->internal_backend_context());
  if (found != nullptr) return found;
  auto made = std::make_unique<CpuBackendContext>();
  found = made.get();
  if (context->recommended_num_threads != -1) {
    found->SetMaxNumThreads(context->recommended_num_threads);
  }
  external->set_internal_backend_context(std::move(made));
  return found;
}

void CpuBackendContext::SetMaxNumThreads(int max_num_threads) {
  max_num_threads_ = std::max(1, max_num_threads);
}

}  // namespace tflite
