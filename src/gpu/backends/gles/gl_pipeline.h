// SPDX-License-Identifier: Apache-2.0
// A linked program. Launches have the group size of its text.
#ifndef TERN_GPU_BACKENDS_GLES_GL_PIPELINE_H_
#define TERN_GPU_BACKENDS_GLES_GL_PIPELINE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

struct GlProgram {
  GlHandle program;
  std::vector<GLint> locations;  // of the uniforms; -1: the driver dropped it
};

class GlPipeline : public Pipeline {
 public:
  // The error of a text that does not build carries the beginning of the driver's log.
  static absl::StatusOr<std::shared_ptr<GlPipeline>> Build(
      const std::shared_ptr<GlContext>& context, const ProgramSource& source);
  static absl::StatusOr<std::shared_ptr<GlPipeline>> Load(const std::shared_ptr<GlContext>& context,
                                                          const ProgramSource& source,
                                                          const ProgramBinary& binary);

  absl::StatusOr<ProgramBinary> Binary() const override;

  size_t buffers() const { return signature_.buffers.size(); }
  const BufferParam& buffer(size_t place) const { return signature_.buffers[place]; }
  size_t uniforms() const { return signature_.uniforms.size(); }
  const Int3& group() const { return signature_.group; }
  bool belongs_to(const GlContext* context) const { return context_.get() == context; }

  // On the context's thread, with these values (as many as there are uniforms).
  void Use(const std::vector<uint32_t>& uniform_words) const;

 private:
  GlPipeline(std::shared_ptr<GlContext> context, const Signature& signature)
      : context_(std::move(context)), signature_(signature) {}

  const std::shared_ptr<GlContext> context_;
  const Signature signature_;
  GlProgram program_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_PIPELINE_H_
