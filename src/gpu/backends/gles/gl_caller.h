// SPDX-License-Identifier: Apache-2.0
// The context that the application has current on the thread that calls us, and the order between
// its commands and those of the backend's context. Nothing here changes that context: no bindings,
// no error of GL is made or taken. Only eglGetError may answer for us, as after any call of EGL.
#ifndef TERN_GPU_BACKENDS_GLES_GL_CALLER_H_
#define TERN_GPU_BACKENDS_GLES_GL_CALLER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_library.h"

namespace tern::gpu {

// The context that is current on this thread. An error when there is none, or one of another API
// or version than buffers for compute shaders need.
absl::StatusOr<ForeignContext> CurrentContext(const GlFunctions& gl);

// Stands for everything that the calling thread's context was asked for so far, when that context
// belongs to the share group; else for nothing. Made and destroyed on the calling thread.
class CallerFence {
 public:
  explicit CallerFence(const GlContext& context);
  ~CallerFence();
  CallerFence(const CallerFence&) = delete;
  CallerFence& operator=(const CallerFence&) = delete;

  // Whether the calling thread's context belongs to the share group.
  bool in_group() const { return in_group_; }
  // On the thread of the backend's context: its later commands come after the fence.
  absl::Status Wait() const;

 private:
  const GlFunctions& gl_;
  bool in_group_ = false;
  GLsync fence_ = nullptr;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_CALLER_H_
