// SPDX-License-Identifier: Apache-2.0
// A kernel of what the driver has built.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_PIPELINE_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_PIPELINE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/opencl/cl_context.h"
#include "gpu/backends/opencl/cl_program.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class ClPipeline : public Pipeline {
 public:
  // The error of a text that does not build carries the first lines of the driver's log.
  static absl::StatusOr<std::shared_ptr<Pipeline>> Build(const std::shared_ptr<ClContext>& context,
                                                         const ProgramSource& source);
  // All of them in one build of the driver, or none.
  static absl::StatusOr<Device::Pipelines> BuildAtOnce(const std::shared_ptr<ClContext>& context,
                                                       std::span<const ProgramSource> sources);
  // Programs whose bytes are the same object share what the driver makes of them.
  static Device::Pipelines LoadAll(const std::shared_ptr<ClContext>& context,
                                   std::span<const ProgramSource> sources,
                                   std::span<const ProgramBinary> binaries);

  absl::StatusOr<ProgramBinary> Binary() const override;

  size_t buffers() const { return buffers_.size(); }
  const BufferParam& buffer(size_t i) const { return buffers_[i]; }
  size_t uniforms() const { return uniforms_; }
  bool belongs_to(const ClContext* context) const { return context_.get() == context; }

  // A kernel with arguments of its own.
  absl::StatusOr<ClHandle<cl_kernel>> CreateKernel() const {
    return program_->CreateKernel(ClEntryName(part_));
  }

 private:
  ClPipeline(std::shared_ptr<ClContext> context, std::shared_ptr<ClProgram> program, uint32_t part,
             const Signature& signature)
      : context_(std::move(context)),
        program_(std::move(program)),
        part_(part),
        buffers_(signature.buffers),
        uniforms_(signature.uniforms.size()) {}
  absl::Status CheckArguments() const;

  const std::shared_ptr<ClContext> context_;
  const std::shared_ptr<ClProgram> program_;
  const uint32_t part_;
  const std::vector<BufferParam> buffers_;
  const size_t uniforms_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_PIPELINE_H_
