// SPDX-License-Identifier: Apache-2.0
// Names as in the headers.
#include "gpu/backends/gles/gl_error.h"

#include "base/status.h"

namespace tern::gpu {
namespace {

// A lost context may report errors without end.
constexpr int kMaxErrors = 16;

struct NamedCode {
  int code;
  const char* name;
};

#define TERN_GL_CODE(name) \
  { name, #name }

constexpr NamedCode kGlCodes[] = {
    TERN_GL_CODE(GL_INVALID_ENUM),
    TERN_GL_CODE(GL_INVALID_VALUE),
    TERN_GL_CODE(GL_INVALID_OPERATION),
    TERN_GL_CODE(GL_INVALID_FRAMEBUFFER_OPERATION),
    TERN_GL_CODE(GL_OUT_OF_MEMORY),
    TERN_GL_CODE(GL_CONTEXT_LOST_KHR),
    TERN_GL_CODE(GL_GUILTY_CONTEXT_RESET_EXT),
    TERN_GL_CODE(GL_INNOCENT_CONTEXT_RESET_EXT),
    TERN_GL_CODE(GL_UNKNOWN_CONTEXT_RESET_EXT),
};

constexpr NamedCode kEglCodes[] = {
    TERN_GL_CODE(EGL_SUCCESS),           TERN_GL_CODE(EGL_NOT_INITIALIZED),
    TERN_GL_CODE(EGL_BAD_ACCESS),        TERN_GL_CODE(EGL_BAD_ALLOC),
    TERN_GL_CODE(EGL_BAD_ATTRIBUTE),     TERN_GL_CODE(EGL_BAD_CONFIG),
    TERN_GL_CODE(EGL_BAD_CONTEXT),       TERN_GL_CODE(EGL_BAD_CURRENT_SURFACE),
    TERN_GL_CODE(EGL_BAD_DISPLAY),       TERN_GL_CODE(EGL_BAD_MATCH),
    TERN_GL_CODE(EGL_BAD_NATIVE_PIXMAP), TERN_GL_CODE(EGL_BAD_NATIVE_WINDOW),
    TERN_GL_CODE(EGL_BAD_PARAMETER),     TERN_GL_CODE(EGL_BAD_SURFACE),
    TERN_GL_CODE(EGL_CONTEXT_LOST),
};

#undef TERN_GL_CODE

}  // namespace

std::string GlErrorName(GLenum code) {
  for (const NamedCode& known : kGlCodes) {
    if (known.code == static_cast<int>(code)) return known.name;
  }
  return StrCat("OpenGL ES error ", code);
}

std::string EglErrorName(EGLint code) {
  for (const NamedCode& known : kEglCodes) {
    if (known.code == code) return known.name;
  }
  return StrCat("EGL error ", code);
}

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
