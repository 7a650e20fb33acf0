// SPDX-License-Identifier: Apache-2.0
// State of the CPU kernels that several interpreters share, owned by the application.
#ifndef TERN_TENSORFLOW_LITE_EXTERNAL_CPU_BACKEND_CONTEXT_H_
#define TERN_TENSORFLOW_LITE_EXTERNAL_CPU_BACKEND_CONTEXT_H_

#include <memory>
#include <utility>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

// The part behind the scenes; the runtime makes it.
class TfLiteInternalBackendContext {
 public:
  virtual ~TfLiteInternalBackendContext() = default;
  virtual void SetMaxNumThreads(int max_num_threads) = 0;
  virtual void ClearCaches() = 0;
};

// Given to interpreters by SetExternalContext(kTfLiteCpuBackendContext, ...); must outlive them.
// Interpreters that share one must not run at the same time.
class ExternalCpuBackendContext : public TfLiteExternalContext {
 public:
  ExternalCpuBackendContext();
  ExternalCpuBackendContext(const ExternalCpuBackendContext&) = delete;
  ExternalCpuBackendContext& operator=(const ExternalCpuBackendContext&) = delete;

  // `context` as one of this class; null for null and for contexts that are something else, which a
  // program may set in its place.
  static ExternalCpuBackendContext* From(TfLiteExternalContext* context);

  void set_internal_backend_context(
      std::unique_ptr<TfLiteInternalBackendContext> internal_context) {
    internal_backend_context_ = std::move(internal_context);
  }
  TfLiteInternalBackendContext* internal_backend_context() const {
    return internal_backend_context_.get();
  }

 private:
  std::unique_ptr<TfLiteInternalBackendContext> internal_backend_context_;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_EXTERNAL_CPU_BACKEND_CONTEXT_H_
