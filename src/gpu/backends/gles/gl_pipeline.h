// SPDX-License-Identifier: Apache-2.0
// A linked program. The group size is part of a program here, but an argument of a launch for the
// rest of the house: launches with another group than the text's get a program of their own.
#ifndef TERN_GPU_BACKENDS_GLES_GL_PIPELINE_H_
#define TERN_GPU_BACKENDS_GLES_GL_PIPELINE_H_

#include <cstdint>
#include <map>
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
  // Launches must have the signature's group: for others there may be no text.
  static absl::StatusOr<std::shared_ptr<GlPipeline>> Load(const std::shared_ptr<GlContext>& context,
                                                          const ProgramSource& source,
                                                          const ProgramBinary& binary);

  // Of the program for the signature's group.
  absl::StatusOr<ProgramBinary> Binary() const override;

  size_t buffers() const { return source_.signature.buffers.size(); }
  const BufferParam& buffer(size_t place) const { return source_.signature.buffers[place]; }
  size_t uniforms() const { return source_.signature.uniforms.size(); }
  bool belongs_to(const GlContext* context) const { return context_.get() == context; }

  // On the context's thread: the program for this group, which lives as long as this, and its use
  // with these values (as many as there are uniforms).
  absl::StatusOr<const GlProgram*> ForGroup(const Int3& group);
  void Use(const GlProgram& program, const std::vector<uint32_t>& uniform_words) const;

 private:
  GlPipeline(std::shared_ptr<GlContext> context, const ProgramSource& source)
      : context_(std::move(context)), source_(source) {}

  const std::shared_ptr<GlContext> context_;
  const ProgramSource source_;
  std::map<Int3, GlProgram> programs_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_PIPELINE_H_
