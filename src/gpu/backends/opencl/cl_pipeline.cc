// SPDX-License-Identifier: Apache-2.0
// Builds program text, and takes what was built.
#include "gpu/backends/opencl/cl_pipeline.h"

#include <string>

#include "base/status.h"
#include "gpu/backends/opencl/cl_error.h"

namespace tern::gpu {
namespace {

// No warnings: some drivers print them on the terminal.
constexpr char kOptions[] = "-cl-std=CL1.2 -w";
constexpr int kLogLines = 40;
constexpr size_t kMostBinaryBytes = 256 << 20;

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
  const char* text = source.text.data();
  const size_t length = source.text.size();
  std::shared_ptr<ClPipeline> made(new ClPipeline(context, source.signature));
  cl_int code = CL_SUCCESS;
  const cl_program program =
      context->cl().CreateProgramWithSource(context->context(), 1, &text, &length, &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithSource"));
  TERN_RETURN_IF_ERROR(made->Finish(program));
  return made;
}

absl::StatusOr<std::shared_ptr<ClPipeline>> ClPipeline::Load(
    const std::shared_ptr<ClContext>& context, const ProgramSource& source,
    const ProgramBinary& binary) {
  const cl_device_id device = context->device();
  const unsigned char* bytes = binary.bytes.data();
  const size_t length = binary.bytes.size();
  if (length == 0) return Invalid("a program binary without bytes");
  std::shared_ptr<ClPipeline> made(new ClPipeline(context, source.signature));
  cl_int code = CL_SUCCESS, state = CL_SUCCESS;
  const cl_program program = context->cl().CreateProgramWithBinary(context->context(), 1, &device,
                                                                   &length, &bytes, &state, &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateProgramWithBinary"));
  TERN_RETURN_IF_ERROR(made->Finish(program));
  TERN_RETURN_IF_ERROR(made->CheckArguments());
  return made;
}

// Takes the program over and has it built, or linked where it is a binary.
absl::Status ClPipeline::Finish(cl_program program) {
  const ClFunctions& cl = context_->cl();
  const cl_device_id device = context_->device();
  program_ = {program, cl.ReleaseProgram};
  const cl_int code = cl.BuildProgram(program, 1, &device, kOptions, nullptr, nullptr);
  if (code == CL_SUCCESS) return absl::OkStatus();
  return ClStatus(code, StrCat("clBuildProgram: ", BuildLog(*context_, program)));
}

// Of a binary nothing else tells whether it is of the program that it is taken for.
absl::Status ClPipeline::CheckArguments() const {
  TERN_ASSIGN_OR_RETURN(const ClHandle<cl_kernel> kernel, CreateKernel());
  cl_uint arguments = 0;
  TERN_RETURN_IF_ERROR(
      ClStatus(context_->cl().GetKernelInfo(kernel.get(), CL_KERNEL_NUM_ARGS, sizeof(arguments),
                                            &arguments, nullptr),
               "clGetKernelInfo"));
  if (arguments == buffers_ + uniforms_) return absl::OkStatus();
  return Invalid("the program binary takes ", arguments, " arguments, ", buffers_ + uniforms_,
                 " expected");
}

absl::StatusOr<ProgramBinary> ClPipeline::Binary() const {
  TERN_RETURN_IF_ERROR(context_->Check());
  const auto query = context_->cl().GetProgramInfo;
  size_t size = 0;  // the context has one device
  TERN_RETURN_IF_ERROR(
      ClStatus(query(program_.get(), CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr),
               "clGetProgramInfo"));
  if (size == 0) return Pipeline::Binary();
  if (size > kMostBinaryBytes)
    return TooLarge("a program binary of ", size, " bytes, at most ", kMostBinaryBytes);
  ProgramBinary binary;
  binary.bytes.resize(size);
  unsigned char* bytes = binary.bytes.data();
  TERN_RETURN_IF_ERROR(
      ClStatus(query(program_.get(), CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, nullptr),
               "clGetProgramInfo"));
  return binary;
}

absl::StatusOr<ClHandle<cl_kernel>> ClPipeline::CreateKernel() const {
  cl_int code = CL_SUCCESS;
  const cl_kernel kernel = context_->cl().CreateKernel(program_.get(), "tern_main", &code);
  TERN_RETURN_IF_ERROR(ClStatus(code, "clCreateKernel"));
  return ClHandle<cl_kernel>(kernel, context_->cl().ReleaseKernel);
}

}  // namespace tern::gpu
