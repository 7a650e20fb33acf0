// SPDX-License-Identifier: Apache-2.0
// Copy in, run, copy out.
#include "delegate/delegate_kernel.h"

#include <unistd.h>

#include <utility>

#include "base/status.h"

namespace tern::delegate {

DelegateKernel::DelegateKernel(std::vector<int> inputs, std::vector<int> outputs,
                               std::unique_ptr<gpu::Executor> executor)
    : executor_(std::move(executor)), owner_(getpid()) {
  const gpu::Plan& plan = executor_->plan();
  const auto edges = [&plan](const std::vector<int>& tensors,
                             const std::vector<gpu::TensorId>& ids) {
    std::vector<Edge> result;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const int64_t elements = plan.tensors[ids[i]].desc.box.elements();
      result.push_back({tensors[i], static_cast<size_t>(elements) * sizeof(float)});
    }
    return result;
  };
  inputs_ = edges(inputs, plan.inputs);
  outputs_ = edges(outputs, plan.outputs);
}

DelegateKernel::~DelegateKernel() {
  // The driver's threads do not exist in a forked child; releasing its objects there may hang.
  if (getpid() != owner_) (void)executor_.release();
}

absl::Status DelegateKernel::CheckEdge(const TfLiteContext& context, const Edge& edge) {
  if (static_cast<size_t>(edge.tensor) >= context.tensors_size) {
    return Invalid("tensor #", edge.tensor, " does not exist");
  }
  const TfLiteTensor& tensor = context.tensors[edge.tensor];
  if (tensor.bytes != edge.bytes) {
    return Invalid("tensor '", tensor.name == nullptr ? "" : tensor.name, "' has ", tensor.bytes,
                   " bytes, ", edge.bytes, " expected");
  }
  return absl::OkStatus();
}

absl::Status DelegateKernel::Prepare(const TfLiteContext& context) const {
  for (const Edge& edge : inputs_) TERN_RETURN_IF_ERROR(CheckEdge(context, edge));
  for (const Edge& edge : outputs_) TERN_RETURN_IF_ERROR(CheckEdge(context, edge));
  return absl::OkStatus();
}

absl::Status DelegateKernel::Run(const TfLiteContext& context) {
  TERN_RETURN_IF_ERROR(Prepare(context));
  for (const std::vector<Edge>* edges : {&inputs_, &outputs_}) {
    for (const Edge& edge : *edges) {
      const TfLiteTensor& tensor = context.tensors[edge.tensor];
      if (tensor.data.raw == nullptr && tensor.bytes != 0) {
        return Invalid("tensor '", tensor.name == nullptr ? "" : tensor.name, "' has no memory");
      }
    }
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const void* data = context.tensors[inputs_[i].tensor].data.raw;
    TERN_RETURN_IF_ERROR(
        executor_->WriteInput(static_cast<int>(i), data, static_cast<int64_t>(inputs_[i].bytes)));
  }
  TERN_RETURN_IF_ERROR(executor_->Run());
  for (size_t i = 0; i < outputs_.size(); ++i) {
    void* data = context.tensors[outputs_[i].tensor].data.raw;
    TERN_RETURN_IF_ERROR(
        executor_->ReadOutput(static_cast<int>(i), data, static_cast<int64_t>(outputs_[i].bytes)));
  }
  return absl::OkStatus();
}

absl::Status DelegateKernel::Invoke(const TfLiteContext& context) {
  if (getpid() != owner_) {
    return Unavailable("the process was forked after the GPU was set up");
  }
  if (busy_.exchange(true, std::memory_order_acquire)) {
    return Invalid("another thread is running this interpreter");
  }
  absl::Status status = Run(context);
  busy_.store(false, std::memory_order_release);
  return status;
}

}  // namespace tern::delegate
