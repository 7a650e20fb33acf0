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

  size_t buffers() const { return buffers_; }
  size_t uniforms() const { return uniforms_; }
  bool belongs_to(const ClContext* context) const { return context_.get() == context; }

  // A kernel with arguments of its own.
  absl::StatusOr<ClHandle<cl_kernel>> CreateKernel() const;

 private:
  explicit ClPipeline(std::shared_ptr<ClContext> context) : context_(std::move(context)) {}

  const std::shared_ptr<ClContext> context_;
  ClHandle<cl_program> program_;
  size_t buffers_ = 0, uniforms_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_PIPELINE_H_
