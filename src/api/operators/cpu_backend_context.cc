// SPDX-License-Identifier: Apache-2.0
// The threads that custom ops may use, and the object that applications own for it.
#include "tensorflow/lite/kernels/cpu_backend_context.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tflite {
namespace {

TfLiteStatus RefreshThreads(TfLiteContext* context) {
  auto* external = ExternalCpuBackendContext::From(
      context->GetExternalContext(context, kTfLiteCpuBackendContext));
  if (external != nullptr && external->internal_backend_context() != nullptr &&
      context->recommended_num_threads != -1) {
    external->internal_backend_context()->SetMaxNumThreads(context->recommended_num_threads);
  }
  return kTfLiteOk;
}

}  // namespace

ExternalCpuBackendContext::ExternalCpuBackendContext() : TfLiteExternalContext() {
  type = kTfLiteCpuBackendContext;
  Refresh = RefreshThreads;
}

ExternalCpuBackendContext* ExternalCpuBackendContext::From(TfLiteExternalContext* context) {
  return context != nullptr && context->Refresh == RefreshThreads
             ? static_cast<ExternalCpuBackendContext*>(context)
             : nullptr;
}

CpuBackendContext* CpuBackendContext::GetFromContext(TfLiteContext* context) {
  auto* external = ExternalCpuBackendContext::From(
      context->GetExternalContext(context, kTfLiteCpuBackendContext));
  if (external == nullptr) {
    TF_LITE_KERNEL_LOG(context, "CpuBackendContext: the context has no external CPU context.");
    return nullptr;
  }
  if (external->internal_backend_context() != nullptr) {
    auto* found = dynamic_cast<CpuBackendContext*>(external->internal_backend_context());
    if (found == nullptr) {
      TF_LITE_KERNEL_LOG(context, "CpuBackendContext: the application set one of another class.");
    }
    return found;
  }
  auto made = std::make_unique<CpuBackendContext>();
  CpuBackendContext* found = made.get();
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
