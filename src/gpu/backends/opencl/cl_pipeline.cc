// SPDX-License-Identifier: Apache-2.0
// Builds program text.
#include "gpu/backends/opencl/cl_pipeline.h"

#include <string>

#include "base/status.h"
#include "gpu/backends/opencl/cl_error.h"

namespace tern::gpu {
namespace {

// No warnings: some drivers print them on the terminal.
constexpr char kOptions[] = "-cl-std=CL1.2 -w";
constexpr int kLogLines = 40;

std::string FirstLines(const std::string& text) {
  size_t end = 0;
  for (int line = 0; line < kLogLines; ++line) {
    const size_t next = text.find('\n', end);
    if (next == std::string::npos) return text;
    end = next + 1;
  }
  return text.substr(0, end) + "...";
}

std::string BuildLog(const ClContext& context, cl_program program) {
  size_t size = 0;
  const auto query = context.cl().GetProgramBuildInfo;
  if (query(program, context.device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS ||
      size == 0) {
    return "no log";
  }
  std::string log(size, '\0');
  if (query(program, context.device(), CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) !=
      CL_SUCCESS) {
    return "no log";
  }
  log.resize(log.find('\0') == std::string::npos ? size : log.find('\0'));
  return FirstLines(log);
}

}  // namespace

absl::StatusOr<std::shared_ptr<ClPipeline>> ClPipeline::Build(
    const std::shared_ptr<ClContext>& context, const ProgramSource& source) {
  const ClFunctions& cl = context->cl();
  const cl_device_id device = context->device();
  const char* text = source.text.data();
  const size_t length = source.text.size();
  std::shared_ptr<ClPipeline> made(new ClPipeline(context));
  cl_int code = CL_SUCCESS;
  const cl_program program =
      cl.CreateProgramWithSource(context->context(), 1, &text, &length, &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithSource"));
  made->program_ = {program, cl.ReleaseProgram};
  made->buffers_ = source.signature.buffers.size();
  made->uniforms_ = source.signature.uniforms.size();
  code = cl.BuildProgram(program, 1, &device, kOptions, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return ClStatus(code, StrCat("clBuildProgram: ", BuildLog(*context, program)));
  }
  return made;
}

absl::StatusOr<ClHandle<cl_kernel>> ClPipeline::CreateKernel() const {
  cl_int code = CL_SUCCESS;
  const cl_kernel kernel = context_->cl().CreateKernel(program_.get(), "tern_main", &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateKernel"));
  return ClHandle<cl_kernel>(kernel, context_->cl().ReleaseKernel);
}

}  // namespace tern::gpu
