// SPDX-License-Identifier: Apache-2.0
// Creation of context and queues.
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
  return made;
}

absl::StatusOr<ClHandle<cl_command_queue>> ClContext::CreateQueue(
    cl_command_queue_properties properties) const {
  TERN_RETURN_IF_ERROR(Check());
  cl_int code = CL_SUCCESS;
  const cl_command_queue queue =
      functions_.CreateCommandQueue(context_.get(), device_, properties, &code);
  if (code == CL_INVALID_QUEUE_PROPERTIES && properties != 0)
    return absl::UnimplementedError("the OpenCL device tells no times of launches");
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateCommandQueue"));
  return ClHandle<cl_command_queue>(queue, functions_.ReleaseCommandQueue);
}

absl::Status ClContext::WaitFor(cl_event done, const absl::Status& status) const {
  if (!status.ok()) return status;
  const ClHandle<cl_event> event(done, functions_.ReleaseEvent);
  return ClStatus(functions_.WaitForEvents(1, &done), "clWaitForEvents");
}

absl::StatusOr<cl_command_queue> ClContext::TimingQueue() {
  const std::lock_guard<std::mutex> lock(timing_mutex_);
  if (timing_queue_.get() == nullptr) {
    TERN_ASSIGN_OR_RETURN(timing_queue_, CreateQueue(CL_QUEUE_PROFILING_ENABLE));
  }
  return timing_queue_.get();
}

absl::Status ClContext::Check() const {
  if (process_ == ClProcess()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "OpenCL cannot be used in a process forked after it started");
}

}  // namespace tern::gpu
