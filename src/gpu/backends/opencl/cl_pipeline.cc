// SPDX-License-Identifier: Apache-2.0
// From texts and binaries to kernels, one by one or at once.
#include "gpu/backends/opencl/cl_pipeline.h"

#include <map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/backends/opencl/cl_error.h"

namespace tern::gpu {

absl::StatusOr<std::shared_ptr<Pipeline>> ClPipeline::Build(
    const std::shared_ptr<ClContext>& context, const ProgramSource& source) {
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<ClProgram> program, ClProgram::Build(context, source.text));
  return std::shared_ptr<Pipeline>(
      new ClPipeline(context, std::move(program), 0, source.signature));
}

absl::StatusOr<Device::Pipelines> ClPipeline::BuildAtOnce(const std::shared_ptr<ClContext>& context,
                                                          std::span<const ProgramSource> sources) {
  TERN_ASSIGN_OR_RETURN(const std::shared_ptr<ClProgram> program,
                        ClProgram::Build(context, MergeClTexts(sources)));
  Device::Pipelines made;
  uint32_t part = 0;
  for (const ProgramSource& source : sources) {
    std::shared_ptr<ClPipeline> pipeline(
        new ClPipeline(context, program, ++part, source.signature));
    TERN_RETURN_IF_ERROR(pipeline->CheckArguments());
    made.push_back(std::move(pipeline));
  }
  return made;
}

Device::Pipelines ClPipeline::LoadAll(const std::shared_ptr<ClContext>& context,
                                      std::span<const ProgramSource> sources,
                                      std::span<const ProgramBinary> binaries) {
  std::map<const std::vector<uint8_t>*, absl::StatusOr<std::shared_ptr<ClProgram>>> programs;
  const auto load = [&](const ProgramSource& source,
                        const ProgramBinary& binary) -> absl::StatusOr<std::shared_ptr<Pipeline>> {
    if (binary.bytes == nullptr) return Invalid("there is no program binary");
    const auto [place, is_new] = programs.emplace(binary.bytes.get(), nullptr);
    if (is_new) place->second = ClProgram::Load(context, *binary.bytes);
    TERN_RETURN_IF_ERROR(place->second.status());
    std::shared_ptr<ClPipeline> made(
        new ClPipeline(context, *place->second, binary.part, source.signature));
    TERN_RETURN_IF_ERROR(made->CheckArguments());
    return made;
  };
  Device::Pipelines made;
  for (size_t i = 0; i < sources.size(); ++i) made.push_back(load(sources[i], binaries[i]));
  return made;
}

// Nothing else tells whether a kernel is of the program that it is taken for.
absl::Status ClPipeline::CheckArguments() const {
  TERN_ASSIGN_OR_RETURN(const ClHandle<cl_kernel> kernel, CreateKernel());
  cl_uint arguments = 0;
  TERN_RETURN_IF_ERROR(
      ClStatus(context_->cl().GetKernelInfo(kernel.get(), CL_KERNEL_NUM_ARGS, sizeof(arguments),
                                            &arguments, nullptr),
               "clGetKernelInfo"));
  const size_t expected = 2 * buffers_.size() + uniforms_;  // a buffer comes with its offset
  if (arguments == expected) return absl::OkStatus();
  return Invalid("the program binary takes ", arguments, " arguments, ", expected, " expected");
}

absl::StatusOr<ProgramBinary> ClPipeline::Binary() const {
  TERN_ASSIGN_OR_RETURN(auto bytes, program_->Binary());
  if (bytes == nullptr) return Pipeline::Binary();
  return ProgramBinary{0, part_, std::move(bytes)};
}

}  // namespace tern::gpu
