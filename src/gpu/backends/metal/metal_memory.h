// SPDX-License-Identifier: Apache-2.0
// Buffers. Those that the processor sees, too, are read and written in place; others by copies that
// the GPU makes.
#ifndef TERN_GPU_BACKENDS_METAL_METAL_MEMORY_H_
#define TERN_GPU_BACKENDS_METAL_METAL_MEMORY_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/metal/metal_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class MetalBuffer : public Buffer {
 public:
  // `shared`: the processor sees it, too.
  static absl::StatusOr<std::shared_ptr<MetalBuffer>> Create(
      const std::shared_ptr<MetalContext>& context, int64_t bytes, bool shared);
  // A buffer of the application; an error for nil and for one of another device.
  static absl::StatusOr<std::shared_ptr<MetalBuffer>> Import(
      const std::shared_ptr<MetalContext>& context, Id buffer);

  // Copies wait for the work that uses the buffer, and return when they are made. Only Download
  // reports a failure of that work, because its bytes are then wrong.
  absl::Status Upload(int64_t offset, const void* from, int64_t bytes);
  absl::Status Download(int64_t offset, void* to, int64_t bytes);

  // The last work that uses it, where that is on the application's queues, or on the context's own:
  // Metal keeps the order of one queue alone. Null otherwise.
  std::shared_ptr<MetalSubmission> WorkOnQueues(bool of_application);
  // From now on in use by that work.
  void UsedBy(std::shared_ptr<MetalSubmission> submission);

  int64_t bytes() const { return bytes_; }
  Id buffer() const { return buffer_.get(); }
  bool belongs_to(const MetalContext* context) const { return context_.get() == context; }

 private:
  MetalBuffer(std::shared_ptr<MetalContext> context, ObjcRef buffer, int64_t bytes, bool shared)
      : context_(std::move(context)), buffer_(std::move(buffer)), bytes_(bytes), shared_(shared) {}
  std::shared_ptr<MetalSubmission> used_by();
  absl::Status Copy(const MetalBuffer& from, int64_t from_offset, int64_t offset, int64_t bytes);

  const std::shared_ptr<MetalContext> context_;
  const ObjcRef buffer_;
  const int64_t bytes_;
  const bool shared_;
  std::mutex mutex_;
  std::shared_ptr<MetalSubmission> used_by_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_METAL_METAL_MEMORY_H_
