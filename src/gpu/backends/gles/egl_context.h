// SPDX-License-Identifier: Apache-2.0
// An OpenGL ES 3.1 context without any surface, on the first display that gives one or on the
// application's. No window system is needed.
#ifndef TERN_GPU_BACKENDS_GLES_EGL_CONTEXT_H_
#define TERN_GPU_BACKENDS_GLES_EGL_CONTEXT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/gles/gl_library.h"

namespace tern::gpu {

// A context of the application, by its name.
struct ForeignContext {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
};

// Made current on the thread that creates it; that thread uses and destroys it. Displays stay
// initialised: they belong to the whole process, and the application may use the same one.
class EglContext {
 public:
  // Tries the surfaceless platform, the devices, GBM and the default display. The error says why
  // each of them failed.
  static absl::StatusOr<std::unique_ptr<EglContext>> Create(const GlFunctions& gl);
  // Shares buffers with a context that lives; the error is the driver's reason.
  static absl::StatusOr<std::unique_ptr<EglContext>> CreateShared(const GlFunctions& gl,
                                                                  const ForeignContext& with);
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  // "surfaceless", "device 0", "gbm", "default", "the application's".
  const std::string& display_name() const { return display_name_; }
  // The driver tells when it loses the context.
  bool reports_reset() const { return reports_reset_; }

 private:
  EglContext(const GlFunctions& gl, EGLDisplay display, std::string display_name,
             EGLContext share = EGL_NO_CONTEXT)
      : gl_(gl), display_(display), display_name_(std::move(display_name)), share_(share) {}
  absl::Status Open();
  absl::StatusOr<EGLConfig> ChooseConfig(bool may_be_none) const;
  absl::Status OpenWith(EGLConfig config, const char* extensions);
  absl::Status OpenContext(EGLConfig config, bool robust);
  absl::Status MissingVersion(EGLConfig config) const;

  const GlFunctions gl_;
  const EGLDisplay display_;
  const std::string display_name_;
  const EGLContext share_;
  EGLContext context_ = EGL_NO_CONTEXT;
  bool reports_reset_ = false;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_EGL_CONTEXT_H_
