// SPDX-License-Identifier: Apache-2.0
// A built program.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_PIPELINE_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_PIPELINE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "gpu/backends/opencl/cl_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class ClPipeline : public Pipeline {
 public:
  // The error of a text that does not build carries the first lines of the driver's log.
  static absl::StatusOr<std::shared_ptr<ClPipeline>> Build(
      const std::shared_ptr<ClContext>& context, const ProgramSource& source);
  static absl::StatusOr<std::shared_ptr<ClPipeline>> Load(const std::shared_ptr<ClContext>& context,
                                                          const ProgramSource& source,
                                                          const ProgramBinary& binary);

  absl::StatusOr<ProgramBinary> Binary() const override;

  size_t buffers() const { return buffers_; }
  size_t uniforms() const { return uniforms_; }
  bool belongs_to(const ClContext* context) const { return context_.get() == context; }

  // A kernel with arguments of its own.
  absl::StatusOr<ClHandle<cl_kernel>> CreateKernel() const;

 private:
  ClPipeline(std::shared_ptr<ClContext> context, const Signature& signature)
      : context_(std::move(context)),
        buffers_(signature.buffers.size()),
        uniforms_(signature.uniforms.size()) {}
  absl::Status Finish(cl_program program);
  absl::Status CheckArguments() const;

  const std::shared_ptr<ClContext> context_;
  const size_t buffers_, uniforms_;
  ClHandle<cl_program> program_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_PIPELINE_H_
