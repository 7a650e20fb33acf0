// SPDX-License-Identifier: Apache-2.0
// Sub-buffers are made once per range: tensors of an arena that share a place share the object.
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

absl::StatusOr<cl_mem> ClBuffer::Range(int64_t offset, int64_t bytes) {
  if (offset == 0 && bytes == bytes_) return memory_.get();
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = ranges_.find({offset, bytes});
  if (known != ranges_.end()) return known->second.get();
  const ClFunctions& cl = context_->cl();
  const cl_buffer_region region = {static_cast<size_t>(offset), static_cast<size_t>(bytes)};
  cl_int code = CL_SUCCESS;
  const cl_mem memory = cl.CreateSubBuffer(memory_.get(), CL_MEM_READ_WRITE,
                                           CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  TERN_RETURN_IF_ERROR(
      ClStatus(code, StrCat("clCreateSubBuffer of ", bytes, " bytes at ", offset)));
  ranges_[{offset, bytes}] = {memory, cl.ReleaseMemObject};
  return memory;
}

}  // namespace tern::gpu
