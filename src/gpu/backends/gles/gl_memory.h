// SPDX-License-Identifier: Apache-2.0
// Buffers. The memory of our own is rounded up, so that kernels may address it in whole slices.
#ifndef TERN_GPU_BACKENDS_GLES_GL_MEMORY_H_
#define TERN_GPU_BACKENDS_GLES_GL_MEMORY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// Bytes of a slice of floats. Ranges start at multiples of this.
constexpr int kGlSliceBytes = 16;

class GlBuffer : public Buffer {
 public:
  static absl::StatusOr<std::shared_ptr<GlBuffer>> Create(std::shared_ptr<GlContext> context,
                                                          int64_t bytes, const DeviceInfo& info);

  // A buffer of the application. For the context's thread.
  static absl::StatusOr<std::shared_ptr<GlBuffer>> Import(std::shared_ptr<GlContext> context,
                                                          GLuint name);

  int64_t bytes() const { return bytes_; }
  bool imported() const { return foreign_ != 0; }
  bool belongs_to(const GlContext* context) const { return context_.get() == context; }

  // The rest is for the context's thread. Ranges lie within the buffer.
  absl::Status Upload(int64_t offset, const void* from, int64_t bytes) const;
  absl::Status Download(int64_t offset, void* to, int64_t bytes) const;
  void Bind(GLuint slot, int64_t offset, int64_t bytes) const;
  // A texture of its texels, each a slice of such elements.
  absl::StatusOr<GlHandle> TexelTexture(int64_t offset, int64_t bytes, Element element,
                                        const DeviceInfo& info) const;
  // An error when the application deleted or shrank its buffer.
  absl::Status CheckForeign() const;

 private:
  GlBuffer(std::shared_ptr<GlContext> context, int64_t bytes, GLuint foreign = 0)
      : context_(std::move(context)), bytes_(bytes), foreign_(foreign) {}
  GLsizeiptr BoundBytes(int64_t offset, int64_t bytes) const;
  GLuint name() const { return imported() ? foreign_ : buffer_.get(); }

  const std::shared_ptr<GlContext> context_;
  const int64_t bytes_;
  const GLuint foreign_;  // the application's name, 0 for our own buffers
  GlHandle buffer_;       // our own
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_MEMORY_H_
