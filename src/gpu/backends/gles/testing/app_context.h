// SPDX-License-Identifier: Apache-2.0
// For tests: an application with an OpenGL ES context of its own, current on the thread that makes
// it.
#ifndef TERN_GPU_BACKENDS_GLES_TESTING_APP_CONTEXT_H_
#define TERN_GPU_BACKENDS_GLES_TESTING_APP_CONTEXT_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "gpu/backends/gles/gl_library.h"

namespace tern::gpu::testing {

struct AppOptions {
  bool with_config = true;            // false: a context without configuration
  EGLContext share = EGL_NO_CONTEXT;  // of another application object
  EGLenum api = EGL_OPENGL_ES_API;
  int major = 3, minor = 1;
  std::vector<EGLint> attributes = {};  // further ones
};

class AppContext {
 public:
  // Null when the driver refuses.
  static std::unique_ptr<AppContext> Create(const GlFunctions& gl, const AppOptions& options = {}) {
    std::unique_ptr<AppContext> app(new AppContext(gl));
    return app->Open(options) ? std::move(app) : nullptr;
  }
  ~AppContext() {
    if (context_ == EGL_NO_CONTEXT) return;
    if (Current() == context_) Leave();
    gl_.egl.DestroyContext(display_, context_);
  }
  AppContext(const AppContext&) = delete;
  AppContext& operator=(const AppContext&) = delete;

  EGLContext context() const { return context_; }
  EGLContext Current() const { return gl_.egl.GetCurrentContext(); }
  bool Enter() const {
    return gl_.egl.MakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE;
  }
  void Leave() const {
    gl_.egl.MakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }

  GLuint NewBuffer(const std::vector<float>& values) const {
    GLuint name = 0;
    gl_.GenBuffers(1, &name);
    SetBuffer(name, values);
    return name;
  }
  void SetBuffer(GLuint name, const std::vector<float>& values) const {
    gl_.BindBuffer(GL_SHADER_STORAGE_BUFFER, name);
    gl_.BufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(values.size() * 4),
                   values.data(), GL_DYNAMIC_COPY);
    gl_.BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
  }
  std::vector<float> Floats(GLuint name, size_t count) const {
    gl_.BindBuffer(GL_SHADER_STORAGE_BUFFER, name);
    const auto* data = static_cast<const float*>(gl_.MapBufferRange(
        GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(count * 4), GL_MAP_READ_BIT));
    std::vector<float> values;
    if (data != nullptr) {
      values.assign(data, data + count);
      gl_.UnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    }
    gl_.BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    return values;
  }
  void DeleteBuffer(GLuint name) const { gl_.DeleteBuffers(1, &name); }

  // Asks for data[i] = value + i of all floats, slowly, and waits for nothing. Drawing is what
  // drivers put off longest.
  void StartFill(GLuint name, int count, float value) const {
    const GLuint program = FillProgram();
    ASSERT_NE(program, 0u);
    GLuint frame = 0;
    Get<decltype(glGenFramebuffers)>("glGenFramebuffers")(1, &frame);
    const auto bind = Get<decltype(glBindFramebuffer)>("glBindFramebuffer");
    const auto size = Get<decltype(glFramebufferParameteri)>("glFramebufferParameteri");
    bind(GL_FRAMEBUFFER, frame);
    size(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, count);
    size(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, 1);
    Get<decltype(glViewport)>("glViewport")(0, 0, count, 1);
    gl_.UseProgram(program);
    gl_.Uniform1f(gl_.GetUniformLocation(program, "value"), value);
    gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, name);
    Get<decltype(glDrawArrays)>("glDrawArrays")(GL_TRIANGLES, 0, 3);
    gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    gl_.UseProgram(0);
    bind(GL_FRAMEBUFFER, 0);
    Get<decltype(glDeleteFramebuffers)>("glDeleteFramebuffers")(1, &frame);
    gl_.DeleteProgram(program);
    ASSERT_EQ(gl_.GetError(), static_cast<GLenum>(GL_NO_ERROR));
  }

  // Returns the state of this thread's context that the library must not change, as one comparable
  // text.
  std::string State() const {
    const auto get = Get<decltype(glGetIntegerv)>("glGetIntegerv");
    const auto api = Get<decltype(eglQueryAPI)>("eglQueryAPI");
    const auto surface = Get<decltype(eglGetCurrentSurface)>("eglGetCurrentSurface");
    std::string text = std::to_string(api()) + ' ' +
                       std::to_string(reinterpret_cast<intptr_t>(Current())) + ' ' +
                       std::to_string(reinterpret_cast<intptr_t>(surface(EGL_DRAW))) + ' ' +
                       std::to_string(reinterpret_cast<intptr_t>(surface(EGL_READ)));
    for (const GLenum what : {GL_CURRENT_PROGRAM,
                              GL_ARRAY_BUFFER_BINDING,
                              GL_ELEMENT_ARRAY_BUFFER_BINDING,
                              GL_COPY_READ_BUFFER_BINDING,
                              GL_COPY_WRITE_BUFFER_BINDING,
                              GL_SHADER_STORAGE_BUFFER_BINDING,
                              GL_UNIFORM_BUFFER_BINDING,
                              GL_ATOMIC_COUNTER_BUFFER_BINDING,
                              GL_PIXEL_PACK_BUFFER_BINDING,
                              GL_PIXEL_UNPACK_BUFFER_BINDING,
                              GL_DISPATCH_INDIRECT_BUFFER_BINDING,
                              GL_VERTEX_ARRAY_BINDING,
                              GL_ACTIVE_TEXTURE,
                              GL_TEXTURE_BINDING_2D,
                              GL_DRAW_FRAMEBUFFER_BINDING,
                              GL_READ_FRAMEBUFFER_BINDING,
                              GL_RENDERBUFFER_BINDING,
                              GL_BLEND,
                              GL_DEPTH_TEST,
                              GL_SCISSOR_TEST,
                              GL_CULL_FACE,
                              GL_UNPACK_ALIGNMENT,
                              GL_PACK_ALIGNMENT}) {
      GLint value = -1;
      get(static_cast<GLenum>(what), &value);
      text += ' ' + std::to_string(value);
    }
    GLint viewport[4] = {};
    get(GL_VIEWPORT, viewport);
    for (const GLint value : viewport) text += ' ' + std::to_string(value);
    for (GLuint slot = 0; slot < 4; ++slot) {
      for (const GLenum what : {GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START,
                                GL_SHADER_STORAGE_BUFFER_SIZE}) {
        GLint value = -1;
        gl_.GetIntegeri_v(what, slot, &value);
        text += ' ' + std::to_string(value);
      }
    }
    return text;
  }

 private:
  explicit AppContext(const GlFunctions& gl) : gl_(gl) {}

  template <typename Function>
  Function* Get(const char* name) const {
    return reinterpret_cast<Function*>(gl_.egl.GetProcAddress(name));
  }

  bool Open(const AppOptions& options) {
    const EglFunctions& egl = gl_.egl;
    if (egl.GetPlatformDisplay == nullptr) return false;
    display_ = egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display_ == EGL_NO_DISPLAY || !egl.Initialize(display_, nullptr, nullptr)) return false;
    if (!egl.BindAPI(options.api)) return false;
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (options.with_config) {
      const EGLint wanted[] = {
          EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE,
          options.api == EGL_OPENGL_ES_API ? EGL_OPENGL_ES3_BIT_KHR : EGL_OPENGL_BIT, EGL_NONE};
      EGLint count = 0;
      if (!egl.ChooseConfig(display_, wanted, &config, 1, &count) || count < 1) return false;
    }
    std::vector<EGLint> attributes = {EGL_CONTEXT_MAJOR_VERSION_KHR, options.major,
                                      EGL_CONTEXT_MINOR_VERSION_KHR, options.minor};
    attributes.insert(attributes.end(), options.attributes.begin(), options.attributes.end());
    attributes.push_back(EGL_NONE);
    context_ = egl.CreateContext(display_, config, options.share, attributes.data());
    return context_ != EGL_NO_CONTEXT && Enter();
  }

  GLuint FillProgram() const {
    const GLuint program = gl_.CreateProgram();
    AddShader(program, GL_VERTEX_SHADER, R"(#version 310 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)");
    AddShader(program, GL_FRAGMENT_SHADER, R"(#version 310 es
precision highp float;
layout(std430, binding = 0) buffer Memory { float data[]; };
uniform float value;
void main() {
  float sum = value;
  for (int i = 0; i < 20000; ++i) sum = sum * 0.5 + value * 0.5;
  int at = int(gl_FragCoord.x);
  data[at] = sum + float(at);
}
)");
    gl_.LinkProgram(program);
    GLint linked = GL_FALSE;
    gl_.GetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked == GL_TRUE ? program : 0;
  }

  void AddShader(GLuint program, GLenum kind, const char* text) const {
    const GLuint shader = gl_.CreateShader(kind);
    gl_.ShaderSource(shader, 1, &text, nullptr);
    gl_.CompileShader(shader);
    gl_.AttachShader(program, shader);
    gl_.DeleteShader(shader);
  }

  const GlFunctions gl_;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

}  // namespace tern::gpu::testing

#endif  // TERN_GPU_BACKENDS_GLES_TESTING_APP_CONTEXT_H_
