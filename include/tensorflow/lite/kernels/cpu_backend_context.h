// SPDX-License-Identifier: Apache-2.0
// Tells custom ops how many threads of the CPU they may use. Matrix libraries are no part of it;
// ops that need one bring it.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_CPU_BACKEND_CONTEXT_H_
#define TERN_TENSORFLOW_LITE_KERNELS_CPU_BACKEND_CONTEXT_H_

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/external_cpu_backend_context.h"

namespace tflite {

class CpuBackendContext final : public TfLiteInternalBackendContext {
 public:
  // Returns the context of the interpreter, made on first use and owned by its external context.
  // Null, with a report, where there is no such external context or it holds an object of another
  // class.
  static CpuBackendContext* GetFromContext(TfLiteContext* context);

  CpuBackendContext() = default;
  CpuBackendContext(const CpuBackendContext&) = delete;
  CpuBackendContext& operator=(const CpuBackendContext&) = delete;

  // At least 1.
  void SetMaxNumThreads(int max_num_threads) override;
  int max_num_threads() const { return max_num_threads_; }

  // Kept for ops that ask.
  void SetUseCaching(bool flag) { use_caching_ = flag; }
  bool use_caching() const { return use_caching_; }

  // Nothing is kept here.
  void ClearCaches() override {}

 private:
  int max_num_threads_ = 1;
  bool use_caching_ = false;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_CPU_BACKEND_CONTEXT_H_
