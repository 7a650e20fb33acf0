// SPDX-License-Identifier: Apache-2.0
#include "gpu/backends/opencl/cl_memory.h"

#include "base/status.h"
#include "gpu/backends/opencl/cl_error.h"

namespace tern::gpu {
namespace {

// Of texels that are slices of such elements. Every device with images has these formats.
cl_image_format FormatOf(Element element) {
  switch (element) {
    case Element::kFloat16:
      return {CL_RGBA, CL_HALF_FLOAT};
    case Element::kInt32:
      return {CL_RGBA, CL_SIGNED_INT32};
    case Element::kByte:
      return {CL_RGBA, CL_UNSIGNED_INT8};
    default:
      return {CL_RGBA, CL_FLOAT};
  }
}

}  // namespace

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

absl::StatusOr<ClHandle<cl_mem>> ClBuffer::Texels(Element element) const {
  const ClFunctions& cl = context_->cl();
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = static_cast<size_t>(bytes_ / BytesOf(element, 4));
  desc.buffer = memory_.get();
  cl_int code = CL_SUCCESS;
  const cl_image_format format = FormatOf(element);
  ClHandle<cl_mem> image(
      cl.CreateImage(context_->context(), CL_MEM_READ_ONLY, &format, &desc, nullptr, &code),
      cl.ReleaseMemObject);
  TERN_RETURN_IF_ERROR(ClStatus(code, StrCat("clCreateImage of ", bytes_, " bytes")));
  return image;
}

}  // namespace tern::gpu
