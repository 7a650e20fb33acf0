// SPDX-License-Identifier: Apache-2.0
// Copies go through the two binding points that nothing else uses.
#include "gpu/backends/gles/gl_memory.h"

#include <algorithm>
#include <cstring>

#include "base/status.h"
#include "gpu/backends/gles/gl_error.h"
#include "gpu/device/texel_forms.h"

namespace tern::gpu {
namespace {

// Of texels that are slices of such elements.
GLenum FormatOf(Element element) {
  switch (element) {
    case Element::kFloat16:
      return GL_RGBA16F;
    case Element::kInt32:
      return GL_RGBA32I;
    case Element::kByte:
      return GL_RGBA8UI;
    default:
      return GL_RGBA32F;
  }
}

int64_t WholeSlices(int64_t bytes) {
  return (bytes + kGlSliceBytes - 1) / kGlSliceBytes * kGlSliceBytes;
}

// Binds a buffer for a copy. Nothing stays bound: that would keep memory which the application
// deletes.
class BoundBuffer {
 public:
  BoundBuffer(const GlFunctions& gl, GLenum target, GLuint name) : gl_(gl), target_(target) {
    gl.BindBuffer(target, name);
  }
  ~BoundBuffer() { gl_.BindBuffer(target_, 0); }
  BoundBuffer(const BoundBuffer&) = delete;
  BoundBuffer& operator=(const BoundBuffer&) = delete;

 private:
  const GlFunctions& gl_;
  const GLenum target_;
};

absl::StatusOr<int64_t> ForeignBytes(const GlFunctions& gl, GLuint name) {
  if (!gl.IsBuffer(name)) return Invalid("there is no buffer ", name);
  const BoundBuffer bound(gl, GL_COPY_READ_BUFFER, name);
  GLint64 bytes = 0;
  gl.GetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &bytes);
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glGetBufferParameteri64v"));
  return bytes;
}

}  // namespace

absl::StatusOr<std::shared_ptr<GlBuffer>> GlBuffer::Create(std::shared_ptr<GlContext> context,
                                                           int64_t bytes, const DeviceInfo& info) {
  std::shared_ptr<GlBuffer> made(new GlBuffer(context, bytes));
  const int64_t whole = WholeSlices(bytes);
  const auto allocated = static_cast<GLsizeiptr>(whole + RoomForTexels(whole, info));
  TERN_RETURN_IF_ERROR(context->Run([&]() -> absl::Status {
    const GlFunctions& gl = context->gl();
    GLuint name = 0;
    gl.GenBuffers(1, &name);
    made->buffer_ = GlHandle(context, name, [](const GlFunctions& functions, GLuint old) {
      functions.DeleteBuffers(1, &old);
    });
    const BoundBuffer bound(gl, GL_COPY_WRITE_BUFFER, name);
    gl.BufferData(GL_COPY_WRITE_BUFFER, allocated, nullptr, GL_DYNAMIC_COPY);
    return GlCheck(gl, StrCat("glBufferData of ", bytes, " bytes"));
  }));
  return made;
}

absl::StatusOr<std::shared_ptr<GlBuffer>> GlBuffer::Import(std::shared_ptr<GlContext> context,
                                                           GLuint name) {
  TERN_ASSIGN_OR_RETURN(const int64_t bytes, ForeignBytes(context->gl(), name));
  return std::shared_ptr<GlBuffer>(new GlBuffer(std::move(context), bytes, name));
}

absl::Status GlBuffer::CheckForeign() const {
  if (!imported()) return absl::OkStatus();
  TERN_ASSIGN_OR_RETURN(const int64_t bytes, ForeignBytes(context_->gl(), foreign_));
  if (bytes >= bytes_) return absl::OkStatus();
  return Invalid("buffer ", foreign_, " shrank from ", bytes_, " to ", bytes, " bytes");
}

absl::Status GlBuffer::Upload(int64_t offset, const void* from, int64_t bytes) const {
  const GlFunctions& gl = context_->gl();
  gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  TERN_RETURN_IF_ERROR(CheckForeign());
  const BoundBuffer bound(gl, GL_COPY_WRITE_BUFFER, name());
  gl.BufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(offset),
                   static_cast<GLsizeiptr>(bytes), from);
  return GlCheck(gl, "glBufferSubData");
}

absl::Status GlBuffer::Download(int64_t offset, void* to, int64_t bytes) const {
  const GlFunctions& gl = context_->gl();
  gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  TERN_RETURN_IF_ERROR(CheckForeign());
  const BoundBuffer bound(gl, GL_COPY_READ_BUFFER, name());
  // Mapping waits for the launches that write the buffer.
  const void* from = gl.MapBufferRange(GL_COPY_READ_BUFFER, static_cast<GLintptr>(offset),
                                       static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT);
  if (from == nullptr) {
    TERN_RETURN_IF_ERROR(GlCheck(gl, "glMapBufferRange"));
    return absl::InternalError("glMapBufferRange: no memory, no error");
  }
  std::memcpy(to, from, static_cast<size_t>(bytes));
  if (!gl.UnmapBuffer(GL_COPY_READ_BUFFER))
    return absl::InternalError("glUnmapBuffer: the memory got lost while it was read");
  return GlCheck(gl, "glUnmapBuffer");
}

// With the rest of the last slice.
GLsizeiptr GlBuffer::BoundBytes(int64_t offset, int64_t bytes) const {
  const int64_t end = imported() ? bytes_ : WholeSlices(bytes_);
  return static_cast<GLsizeiptr>(std::min(WholeSlices(bytes), end - offset));
}

void GlBuffer::Bind(GLuint slot, int64_t offset, int64_t bytes) const {
  context_->gl().BindBufferRange(GL_SHADER_STORAGE_BUFFER, slot, name(),
                                 static_cast<GLintptr>(offset), BoundBytes(offset, bytes));
}

absl::StatusOr<GlHandle> GlBuffer::TexelTexture(int64_t offset, int64_t bytes, Element element,
                                                const DeviceInfo& info) const {
  TERN_ASSIGN_OR_RETURN(const int64_t read, TexelBytes(BoundBytes(offset, bytes), element, info));
  const GlFunctions& gl = context_->gl();
  GLuint made = 0;
  gl.GenTextures(1, &made);
  if (made == 0) return absl::InternalError("glGenTextures: no texture");
  GlHandle texture(context_, made, [](const GlFunctions& functions, GLuint old) {
    functions.DeleteTextures(1, &old);
  });
  gl.BindTexture(GL_TEXTURE_BUFFER_EXT, made);
  gl.TexBufferRange(GL_TEXTURE_BUFFER_EXT, FormatOf(element), name(), static_cast<GLintptr>(offset),
                    static_cast<GLsizeiptr>(read));
  TERN_RETURN_IF_ERROR(GlCheck(gl, StrCat("glTexBufferRange of ", bytes, " bytes")));
  return texture;
}

}  // namespace tern::gpu
