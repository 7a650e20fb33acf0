// SPDX-License-Identifier: Apache-2.0
// Buffers. Kernels get a range of one as the whole and an offset, also where they read texels: not
// every driver makes an image of a part.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_MEMORY_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_MEMORY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "gpu/backends/opencl/cl_context.h"
#include "gpu/desc/element_type.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class ClBuffer : public Buffer {
 public:
  // Devices that share memory with the host get memory that needs no copy behind the scenes.
  static absl::StatusOr<std::shared_ptr<ClBuffer>> Create(const std::shared_ptr<ClContext>& context,
                                                          int64_t bytes, bool host_memory);

  int64_t bytes() const { return bytes_; }
  // An image of its texels, each a slice of such elements.
  absl::StatusOr<ClHandle<cl_mem>> Texels(Element element) const;
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
