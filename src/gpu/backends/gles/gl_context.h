// SPDX-License-Identifier: Apache-2.0
// The context with its thread, shared by everything that lives on the device, and the owner of the
// objects made in it.
#ifndef TERN_GPU_BACKENDS_GLES_GL_CONTEXT_H_
#define TERN_GPU_BACKENDS_GLES_GL_CONTEXT_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/gles/egl_context.h"
#include "gpu/backends/gles/gl_library.h"
#include "gpu/backends/gles/gl_thread.h"

namespace tern::gpu {

class GlContext {
 public:
  // With a foreign context: one that shares buffers with it.
  static absl::StatusOr<std::shared_ptr<GlContext>> Create(const GlFunctions& functions,
                                                           const ForeignContext& share = {});
  ~GlContext();

  const GlFunctions& gl() const { return functions_; }
  const std::string& display_name() const { return egl_->display_name(); }

  // Shares buffers with contexts of the application.
  bool shares() const { return share_.context != EGL_NO_CONTEXT; }
  EGLDisplay share_display() const { return share_.display; }
  // Whether the context that is current on this thread belongs to the share group. EGL does not
  // tell. Names of objects are small numbers that another group has as well, and some drivers know
  // sync objects in all groups; a shader has a text that can be asked for without binding it.
  bool SharesWithCurrent() const;
  // False in a forked child, where the driver must not be called.
  bool alive() const { return thread_.alive(); }
  bool lost() const { return is_lost_; }

  // Runs the task with the context current, from any thread, and waits for it. An error without
  // running it in a forked child and once the context is lost; an error after it when the context
  // got lost.
  absl::Status Run(const std::function<absl::Status()>& task);

  // On the context's thread: an error once the driver reports that the context is lost.
  absl::Status CheckReset() const;

  // Runs a task that releases objects, if there are any.
  void Release(const std::function<void()>& task);

 private:
  GlContext(const GlFunctions& functions, const ForeignContext& share)
      : functions_(functions), share_(share) {}
  absl::Status Open();

  const GlFunctions functions_;
  const ForeignContext share_;
  GLuint group_mark_ = 0;  // a shader with mark_text_; both are set once, by Create
  std::string mark_text_;
  std::atomic<bool> is_lost_ = false;
  GlThread thread_;
  // Only the thread uses the members below.
  std::unique_ptr<EglContext> egl_;
  absl::Status lost_;
};

// Owns one object of the context. Only the context's thread sets it; it may go on any thread.
class GlHandle {
 public:
  using Delete = void (*)(const GlFunctions& gl, GLuint name);

  GlHandle() = default;
  GlHandle(std::shared_ptr<GlContext> context, GLuint name, Delete destroy);
  GlHandle(GlHandle&& other) noexcept { *this = std::move(other); }
  GlHandle& operator=(GlHandle&& other) noexcept;
  GlHandle(const GlHandle&) = delete;
  GlHandle& operator=(const GlHandle&) = delete;
  ~GlHandle();

  GLuint get() const { return name_; }

  // Objects of all contexts that are not deleted yet, for tests.
  static int live();

 private:
  std::shared_ptr<GlContext> context_;
  GLuint name_ = 0;
  Delete destroy_ = nullptr;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_CONTEXT_H_
