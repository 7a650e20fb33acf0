// SPDX-License-Identifier: Apache-2.0
#include "gpu/backends/opencl/cl_memory.h"

#include "base/status.h"
#include "gpu/backends/opencl/cl_error.h"

namespace tern::gpu {

absl::StatusOr<std::shared_ptr<ClBuffer>> ClBuffer::Create(
    const std::shared_ptr<ClContext>& context, int64_t bytes, bool host_memory) {
  const ClFunctions& cl = context->cl();
  std::shared_ptr<ClBuffer> made(new ClBuffer(context, bytes));
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (host_memory ? CL_MEM_ALLOC_HOST_PTR : 0);
  cl_int code = CL_SUCCESS;
  const cl_mem memory =
      cl.CreateBuffer(context->context(), flags, static_cast<size_t>(bytes), nullptr, &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, StrCat("clCreateBuffer of ", bytes, " bytes")));
  made->memory_ = {memory, cl.ReleaseMemObject};
  return made;
}

}  // namespace tern::gpu
