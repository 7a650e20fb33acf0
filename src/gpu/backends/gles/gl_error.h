// SPDX-License-Identifier: Apache-2.0
// EGL and OpenGL ES error codes as names and statuses.
#ifndef TERN_GPU_BACKENDS_GLES_GL_ERROR_H_
#define TERN_GPU_BACKENDS_GLES_GL_ERROR_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gpu/backends/gles/gl_library.h"

namespace tern::gpu {

// "GL_OUT_OF_MEMORY", "EGL_BAD_MATCH"; a code that is not known is printed as a number.
std::string GlErrorName(GLenum code);
std::string EglErrorName(EGLint code);

// Collects the errors of the calls since the last check on this thread. OK when there are none;
// otherwise «glBufferData: GL_OUT_OF_MEMORY»: resource exhausted when memory ran out, unavailable
// when the context is lost, else internal.
absl::Status GlCheck(const GlFunctions& gl, std::string_view what);

// «eglInitialize: EGL_NOT_INITIALIZED», unavailable, for the EGL call that just failed.
absl::Status EglFailure(const EglFunctions& egl, std::string_view what);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_ERROR_H_
