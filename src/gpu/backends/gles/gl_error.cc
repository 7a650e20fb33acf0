// SPDX-License-Identifier: Apache-2.0
// Names as in the headers.
#include "gpu/backends/gles/gl_error.h"

#include "base/status.h"
#include "gpu/device/named_codes.h"

namespace tern::gpu {
namespace {

// A lost context may report errors without end.
constexpr int kMaxErrors = 16;

constexpr NamedCode kGlCodes[] = {
    TERN_NAMED_CODE(GL_INVALID_ENUM),
    TERN_NAMED_CODE(GL_INVALID_VALUE),
    TERN_NAMED_CODE(GL_INVALID_OPERATION),
    TERN_NAMED_CODE(GL_INVALID_FRAMEBUFFER_OPERATION),
    TERN_NAMED_CODE(GL_OUT_OF_MEMORY),
    TERN_NAMED_CODE(GL_CONTEXT_LOST_KHR),
    TERN_NAMED_CODE(GL_GUILTY_CONTEXT_RESET_EXT),
    TERN_NAMED_CODE(GL_INNOCENT_CONTEXT_RESET_EXT),
    TERN_NAMED_CODE(GL_UNKNOWN_CONTEXT_RESET_EXT),
};

constexpr NamedCode kEglCodes[] = {
    TERN_NAMED_CODE(EGL_SUCCESS),           TERN_NAMED_CODE(EGL_NOT_INITIALIZED),
    TERN_NAMED_CODE(EGL_BAD_ACCESS),        TERN_NAMED_CODE(EGL_BAD_ALLOC),
    TERN_NAMED_CODE(EGL_BAD_ATTRIBUTE),     TERN_NAMED_CODE(EGL_BAD_CONFIG),
    TERN_NAMED_CODE(EGL_BAD_CONTEXT),       TERN_NAMED_CODE(EGL_BAD_CURRENT_SURFACE),
    TERN_NAMED_CODE(EGL_BAD_DISPLAY),       TERN_NAMED_CODE(EGL_BAD_MATCH),
    TERN_NAMED_CODE(EGL_BAD_NATIVE_PIXMAP), TERN_NAMED_CODE(EGL_BAD_NATIVE_WINDOW),
    TERN_NAMED_CODE(EGL_BAD_PARAMETER),     TERN_NAMED_CODE(EGL_BAD_SURFACE),
    TERN_NAMED_CODE(EGL_CONTEXT_LOST),
};

}  // namespace

std::string GlErrorName(GLenum code) { return CodeName(kGlCodes, code, "OpenGL ES"); }
std::string EglErrorName(EGLint code) { return CodeName(kEglCodes, code, "EGL"); }

absl::Status GlCheck(const GlFunctions& gl, std::string_view what) {
  const GLenum first = gl.GetError();
  if (first == GL_NO_ERROR) return absl::OkStatus();
  for (int i = 1; i < kMaxErrors && gl.GetError() != GL_NO_ERROR; ++i) {
  }
  const std::string text = StrCat(what, ": ", GlErrorName(first));
  if (first == GL_OUT_OF_MEMORY) return absl::ResourceExhaustedError(text);
  if (first == GL_CONTEXT_LOST_KHR) return absl::UnavailableError(text);
  return absl::InternalError(text);
}

absl::Status EglFailure(const EglFunctions& egl, std::string_view what) {
  return Unavailable(what, ": ", EglErrorName(egl.GetError()));
}

}  // namespace tern::gpu
