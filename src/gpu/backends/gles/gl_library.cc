// SPDX-License-Identifier: Apache-2.0
// Core functions come from the libraries themselves: asking EGL for them needs a later version.
#include "gpu/backends/gles/gl_library.h"

#include <algorithm>
#include <utility>

#include "base/shared_library.h"
#include "base/status.h"

namespace tern::gpu {
namespace {

absl::StatusOr<SharedLibrary> OpenFirst(const char* what, const std::vector<std::string>& names) {
  std::string tried;
  for (const std::string& name : names) {
    absl::StatusOr<SharedLibrary> library = SharedLibrary::Open(name);
    if (library.ok()) return library;
    tried += StrCat(tried.empty() ? "" : "; ", Message(library.status()));
  }
  return Unavailable("OpenGL ES: no ", what, " library (", tried, ")");
}

template <typename Function>
void LoadExtension(const EglFunctions& egl, const char* name, Function** function) {
  *function = reinterpret_cast<Function*>(egl.GetProcAddress(name));
}

}  // namespace

std::vector<std::string> EglLibraryNames() {
#if defined(__ANDROID__)
  return {"libEGL.so"};
#else
  return {"libEGL.so.1", "libEGL.so"};
#endif
}

std::vector<std::string> GlesLibraryNames() {
#if defined(__ANDROID__)
  return {"libGLESv3.so", "libGLESv2.so"};
#else
  return {"libGLESv2.so.2", "libGLESv2.so"};
#endif
}

absl::StatusOr<GlFunctions> LoadGlFunctions(const std::vector<std::string>& egl_names,
                                            const std::vector<std::string>& gles_names) {
  TERN_ASSIGN_OR_RETURN(SharedLibrary egl, OpenFirst("EGL", egl_names));
  TERN_ASSIGN_OR_RETURN(SharedLibrary gles, OpenFirst("GLES", gles_names));
  GlFunctions functions;
#define TERN_EGL_LOAD(function)                            \
  if (!egl.Load("egl" #function, &functions.egl.function)) \
    return Unavailable("OpenGL ES: the EGL library has no function egl" #function);
  TERN_EGL_FUNCTIONS(TERN_EGL_LOAD)
#undef TERN_EGL_LOAD
#define TERN_GL_LOAD(function)                         \
  if (!gles.Load("gl" #function, &functions.function)) \
    return Unavailable("OpenGL ES: the GLES library has no function gl" #function);
  TERN_GL_FUNCTIONS(TERN_GL_LOAD)
#undef TERN_GL_LOAD
  egl.KeepLoaded();
  gles.KeepLoaded();
  // The library hands out stubs for functions that it does not have, so its list decides.
  const char* client = functions.egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (HasExtension(client, "EGL_EXT_platform_base"))
    LoadExtension(functions.egl, "eglGetPlatformDisplayEXT", &functions.egl.GetPlatformDisplay);
  if (HasExtension(client, "EGL_EXT_device_base") ||
      HasExtension(client, "EGL_EXT_device_enumeration")) {
    LoadExtension(functions.egl, "eglQueryDevicesEXT", &functions.egl.QueryDevices);
  }
  LoadExtension(functions.egl, "glGetGraphicsResetStatusKHR", &functions.GetGraphicsResetStatus);
  if (functions.GetGraphicsResetStatus == nullptr)
    LoadExtension(functions.egl, "glGetGraphicsResetStatusEXT", &functions.GetGraphicsResetStatus);
  LoadExtension(functions.egl, "glGenQueriesEXT", &functions.GenQueries);
  LoadExtension(functions.egl, "glDeleteQueriesEXT", &functions.DeleteQueries);
  LoadExtension(functions.egl, "glGetQueryivEXT", &functions.GetQueryiv);
  LoadExtension(functions.egl, "glGetQueryObjectui64vEXT", &functions.GetQueryObjectui64v);
  LoadExtension(functions.egl, "glQueryCounterEXT", &functions.QueryCounter);
  for (const char* name : {"glTexBufferRangeEXT", "glTexBufferRangeOES", "glTexBufferRange"}) {
    if (functions.TexBufferRange == nullptr)
      LoadExtension(functions.egl, name, &functions.TexBufferRange);
  }
  return functions;
}

bool HasExtension(const char* list, std::string_view name) {
  std::string_view rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace tern::gpu
