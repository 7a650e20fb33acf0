// SPDX-License-Identifier: Apache-2.0
// Buffers. Kernels get a range of one as the whole and an offset.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_MEMORY_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_MEMORY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "gpu/backends/opencl/cl_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class ClBuffer : public Buffer {
 public:
  // Devices that share memory with the host get memory that needs no copy behind the scenes.
  static absl::StatusOr<std::shared_ptr<ClBuffer>> Create(const std::shared_ptr<ClContext>& context,
                                                          int64_t bytes, bool host_memory);

  int64_t bytes() const { return bytes_; }
  cl_mem memory() const { return memory_.get(); }
  bool belongs_to(const ClContext* context) const { return context_.get() == context; }

 private:
  ClBuffer(std::shared_ptr<ClContext> context, int64_t bytes)
      : context_(std::move(context)), bytes_(bytes) {}

  const std::shared_ptr<ClContext> context_;
  const int64_t bytes_;
  ClHandle<cl_mem> memory_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_MEMORY_H_
