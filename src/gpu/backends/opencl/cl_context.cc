// SPDX-License-Identifier: Apache-2.0
// Creation of context and queue.
#include "gpu/backends/opencl/cl_context.h"

#include <unistd.h>

#include "base/status.h"
#include "gpu/backends/opencl/cl_error.h"

namespace tern::gpu {

pid_t ClProcess() { return getpid(); }

absl::StatusOr<std::shared_ptr<ClContext>> ClContext::Create(const ClFunctions& functions,
                                                             cl_device_id device) {
  std::shared_ptr<ClContext> made(new ClContext(functions, device));
  cl_int code = CL_SUCCESS;
  const cl_context context = functions.CreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateContext"));
  made->context_ = {context, functions.ReleaseContext};
  const cl_command_queue queue = functions.CreateCommandQueue(context, device, 0, &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateCommandQueue"));
  made->queue_ = {queue, functions.ReleaseCommandQueue};
  return made;
}

absl::StatusOr<cl_command_queue> ClContext::TimingQueue() {
  const std::lock_guard<std::mutex> lock(timing_mutex_);
  if (timing_queue_.get() != nullptr) return timing_queue_.get();
  cl_int code = CL_SUCCESS;
  const cl_command_queue queue =
      functions_.CreateCommandQueue(context_.get(), device_, CL_QUEUE_PROFILING_ENABLE, &code);
  if (code == CL_INVALID_QUEUE_PROPERTIES)
    return absl::UnimplementedError("the OpenCL device tells no times of launches");
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateCommandQueue"));
  timing_queue_ = {queue, functions_.ReleaseCommandQueue};
  return queue;
}

absl::Status ClContext::Check() const {
  if (process_ == ClProcess()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "OpenCL cannot be used in a process forked after it started");
}

}  // namespace tern::gpu
