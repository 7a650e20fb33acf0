// SPDX-License-Identifier: Apache-2.0
// The EGL and OpenGL ES functions that the backend calls, found at run time: a program starts on
// machines without them. The table is plain data, so tests put failing functions into it.
#ifndef TERN_GPU_BACKENDS_GLES_GL_LIBRARY_H_
#define TERN_GPU_BACKENDS_GLES_GL_LIBRARY_H_

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
// After the core header, whose types it uses.
#include <GLES2/gl2ext.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

// Functions of version 1.4, without their "egl".
#define TERN_EGL_FUNCTIONS(X) \
  X(BindAPI)                  \
  X(ChooseConfig)             \
  X(CreateContext)            \
  X(DestroyContext)           \
  X(GetCurrentContext)        \
  X(GetCurrentDisplay)        \
  X(GetDisplay)               \
  X(GetError)                 \
  X(GetProcAddress)           \
  X(Initialize)               \
  X(MakeCurrent)              \
  X(QueryContext)             \
  X(QueryString)              \
  X(ReleaseThread)

// Functions of version 3.1, without their "gl".
#define TERN_GL_FUNCTIONS(X) \
  X(ActiveTexture)           \
  X(AttachShader)            \
  X(BindBuffer)              \
  X(BindBufferBase)          \
  X(BindBufferRange)         \
  X(BindTexture)             \
  X(BufferData)              \
  X(BufferSubData)           \
  X(ClientWaitSync)          \
  X(CompileShader)           \
  X(CreateProgram)           \
  X(CreateShader)            \
  X(DeleteBuffers)           \
  X(DeleteProgram)           \
  X(DeleteShader)            \
  X(DeleteSync)              \
  X(DeleteTextures)          \
  X(DispatchCompute)         \
  X(FenceSync)               \
  X(Finish)                  \
  X(Flush)                   \
  X(GenBuffers)              \
  X(GenTextures)             \
  X(GetBufferParameteri64v)  \
  X(GetError)                \
  X(GetInteger64v)           \
  X(GetIntegeri_v)           \
  X(GetProgramBinary)        \
  X(GetProgramInfoLog)       \
  X(GetProgramiv)            \
  X(GetShaderInfoLog)        \
  X(GetShaderiv)             \
  X(GetShaderSource)         \
  X(GetString)               \
  X(GetUniformLocation)      \
  X(IsBuffer)                \
  X(IsShader)                \
  X(LinkProgram)             \
  X(MapBufferRange)          \
  X(MemoryBarrier)           \
  X(ProgramBinary)           \
  X(ProgramParameteri)       \
  X(ShaderSource)            \
  X(Uniform1f)               \
  X(Uniform1i)               \
  X(UnmapBuffer)             \
  X(UseProgram)              \
  X(WaitSync)

namespace tern::gpu {

struct EglFunctions {
#define TERN_EGL_FIELD(name) decltype(&::egl##name) name = nullptr;
  TERN_EGL_FUNCTIONS(TERN_EGL_FIELD)
#undef TERN_EGL_FIELD
  // Extensions of the client library; null where they are missing.
  PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplay = nullptr;
  PFNEGLQUERYDEVICESEXTPROC QueryDevices = nullptr;
};

struct GlFunctions {
#define TERN_GL_FIELD(name) decltype(&::gl##name) name = nullptr;
  TERN_GL_FUNCTIONS(TERN_GL_FIELD)
#undef TERN_GL_FIELD
  // Of extensions; callers check that the context has them.
  PFNGLGETGRAPHICSRESETSTATUSEXTPROC GetGraphicsResetStatus = nullptr;
  PFNGLGENQUERIESEXTPROC GenQueries = nullptr;
  PFNGLDELETEQUERIESEXTPROC DeleteQueries = nullptr;
  PFNGLGETQUERYIVEXTPROC GetQueryiv = nullptr;
  PFNGLGETQUERYOBJECTUI64VEXTPROC GetQueryObjectui64v = nullptr;
  PFNGLQUERYCOUNTEREXTPROC QueryCounter = nullptr;
  PFNGLTEXBUFFERRANGEEXTPROC TexBufferRange = nullptr;
  EglFunctions egl;
};

// Where the two libraries may be, best place first.
std::vector<std::string> EglLibraryNames();
std::vector<std::string> GlesLibraryNames();

// The functions of the first libraries that open; they stay loaded until the process ends. The
// error names what was tried, or the function that is missing.
absl::StatusOr<GlFunctions> LoadGlFunctions(const std::vector<std::string>& egl_names,
                                            const std::vector<std::string>& gles_names);

// Whether a list of words separated by spaces has this one; a null list has none.
bool HasExtension(const char* list, std::string_view name);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_LIBRARY_H_
