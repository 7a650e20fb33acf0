// SPDX-License-Identifier: Apache-2.0
// For tests: everything that an application can ask OpenGL ES 3.1 and EGL about the state of its
// thread, as lines that can be compared, and values for most of it that no new context has.
#ifndef TERN_GPU_BACKENDS_GLES_TESTING_GL_STATE_H_
#define TERN_GPU_BACKENDS_GLES_TESTING_GL_STATE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu/backends/gles/gl_library.h"

namespace tern::gpu::testing {

// Values by the name of what was asked for, "GL_VIEWPORT" or "GL_UNIFORM_BUFFER_SIZE 3".
using GlState = std::map<std::string, std::string>;

// One line for each value that differs; empty when all are the same.
inline std::string Differences(const GlState& before, const GlState& after) {
  std::string text;
  for (const auto& [name, value] : before) {
    const auto now = after.find(name);
    if (now == after.end()) {
      text += name + ": gone\n";
    } else if (now->second != value) {
      text += name + ": " + value + " became " + now->second + "\n";
    }
  }
  if (after.size() != before.size()) text += "another number of values\n";
  return text;
}

// Functions that the backend does not call.
#define TERN_APP_FUNCTIONS(X)  \
  X(glActiveTexture)           \
  X(glBeginQuery)              \
  X(glBindFramebuffer)         \
  X(glBindImageTexture)        \
  X(glBindProgramPipeline)     \
  X(glBindRenderbuffer)        \
  X(glBindSampler)             \
  X(glBindTexture)             \
  X(glBindTransformFeedback)   \
  X(glBindVertexArray)         \
  X(glBindVertexBuffer)        \
  X(glBlendColor)              \
  X(glBlendEquationSeparate)   \
  X(glBlendFuncSeparate)       \
  X(glClearColor)              \
  X(glClearDepthf)             \
  X(glClearStencil)            \
  X(glColorMask)               \
  X(glCullFace)                \
  X(glDepthFunc)               \
  X(glDepthMask)               \
  X(glDepthRangef)             \
  X(glDisable)                 \
  X(glEnable)                  \
  X(glEnableVertexAttribArray) \
  X(glFramebufferRenderbuffer) \
  X(glFrontFace)               \
  X(glGenFramebuffers)         \
  X(glGenProgramPipelines)     \
  X(glGenQueries)              \
  X(glGenRenderbuffers)        \
  X(glGenSamplers)             \
  X(glGenTextures)             \
  X(glGenTransformFeedbacks)   \
  X(glGenVertexArrays)         \
  X(glGetFloatv)               \
  X(glGetInteger64i_v)         \
  X(glGetQueryiv)              \
  X(glGetVertexAttribfv)       \
  X(glGetVertexAttribiv)       \
  X(glHint)                    \
  X(glIsEnabled)               \
  X(glLineWidth)               \
  X(glPixelStorei)             \
  X(glPolygonOffset)           \
  X(glRenderbufferStorage)     \
  X(glSampleCoverage)          \
  X(glSampleMaski)             \
  X(glScissor)                 \
  X(glStencilFuncSeparate)     \
  X(glStencilMaskSeparate)     \
  X(glStencilOpSeparate)       \
  X(glTexStorage2D)            \
  X(glVertexAttrib4f)          \
  X(glVertexAttribBinding)     \
  X(glVertexAttribFormat)      \
  X(glViewport)                \
  X(eglCreatePbufferSurface)   \
  X(eglDestroySurface)         \
  X(eglGetCurrentSurface)      \
  X(eglQueryAPI)               \
  X(eglTerminate)

struct AppFunctions {
  explicit AppFunctions(const GlFunctions& gl) {
#define TERN_APP_LOAD(name) \
  name = reinterpret_cast<decltype(&::name)>(gl.egl.GetProcAddress(#name));
    TERN_APP_FUNCTIONS(TERN_APP_LOAD)
#undef TERN_APP_LOAD
  }
#define TERN_APP_FIELD(name) decltype(&::name) name = nullptr;
  TERN_APP_FUNCTIONS(TERN_APP_FIELD)
#undef TERN_APP_FIELD
};

struct StateName {
  GLenum what;
  const char* name;
  int count;
};
#define TERN_STATE(name) \
  StateName { name, #name, 1 }
#define TERN_STATES(name, count) \
  StateName { name, #name, count }

// Reads the values of eglQueryAPI and of the functions about the current context.
inline GlState ReadEglState(const GlFunctions& gl) {
  const AppFunctions app(gl);
  const auto text = [](const void* handle) {
    return std::to_string(reinterpret_cast<uintptr_t>(handle));
  };
  return {{"eglQueryAPI", std::to_string(app.eglQueryAPI())},
          {"eglGetCurrentContext", text(gl.egl.GetCurrentContext())},
          {"eglGetCurrentDisplay", text(gl.egl.GetCurrentDisplay())},
          {"eglGetCurrentSurface draw", text(app.eglGetCurrentSurface(EGL_DRAW))},
          {"eglGetCurrentSurface read", text(app.eglGetCurrentSurface(EGL_READ))}};
}

// Reads the state of the thread's context, which is one of OpenGL ES 3.1 or later. Makes no GL
// error and leaves a pending one.
class StateReader {
 public:
  explicit StateReader(const GlFunctions& gl) : gl_(gl), app_(gl) {}

  GlState Read() {
    state_ = ReadEglState(gl_);
    Integers();
    Floats();
    Switches();
    Indexed();
    Textures();
    Vertices();
    GLint query = -1;
    app_.glGetQueryiv(GL_ANY_SAMPLES_PASSED, GL_CURRENT_QUERY, &query);
    Add("GL_ANY_SAMPLES_PASSED", query);
    return state_;
  }

 private:
  template <typename T>
  void Add(const std::string& name, T value) {
    std::string& line = state_[name];
    if (!line.empty()) line += ' ';
    line += std::to_string(value);
  }
  GLint64 Integer(GLenum what) const {
    GLint64 value = 0;
    gl_.GetInteger64v(what, &value);
    return value;
  }

  void Integers() {
    static constexpr StateName kNames[] = {
        TERN_STATE(GL_ACTIVE_TEXTURE),
        TERN_STATE(GL_ARRAY_BUFFER_BINDING),
        TERN_STATE(GL_ATOMIC_COUNTER_BUFFER_BINDING),
        TERN_STATE(GL_BLEND_DST_ALPHA),
        TERN_STATE(GL_BLEND_DST_RGB),
        TERN_STATE(GL_BLEND_EQUATION_ALPHA),
        TERN_STATE(GL_BLEND_EQUATION_RGB),
        TERN_STATE(GL_BLEND_SRC_ALPHA),
        TERN_STATE(GL_BLEND_SRC_RGB),
        TERN_STATES(GL_COLOR_WRITEMASK, 4),
        TERN_STATE(GL_COPY_READ_BUFFER_BINDING),
        TERN_STATE(GL_COPY_WRITE_BUFFER_BINDING),
        TERN_STATE(GL_CULL_FACE_MODE),
        TERN_STATE(GL_CURRENT_PROGRAM),
        TERN_STATE(GL_DEPTH_FUNC),
        TERN_STATE(GL_DEPTH_WRITEMASK),
        TERN_STATE(GL_DISPATCH_INDIRECT_BUFFER_BINDING),
        TERN_STATE(GL_DRAW_BUFFER0),
        TERN_STATE(GL_DRAW_FRAMEBUFFER_BINDING),
        TERN_STATE(GL_DRAW_INDIRECT_BUFFER_BINDING),
        TERN_STATE(GL_ELEMENT_ARRAY_BUFFER_BINDING),
        TERN_STATE(GL_FRAGMENT_SHADER_DERIVATIVE_HINT),
        TERN_STATE(GL_FRONT_FACE),
        TERN_STATE(GL_GENERATE_MIPMAP_HINT),
        TERN_STATE(GL_PACK_ALIGNMENT),
        TERN_STATE(GL_PACK_ROW_LENGTH),
        TERN_STATE(GL_PACK_SKIP_PIXELS),
        TERN_STATE(GL_PACK_SKIP_ROWS),
        TERN_STATE(GL_PIXEL_PACK_BUFFER_BINDING),
        TERN_STATE(GL_PIXEL_UNPACK_BUFFER_BINDING),
        TERN_STATE(GL_PROGRAM_PIPELINE_BINDING),
        TERN_STATE(GL_READ_BUFFER),
        TERN_STATE(GL_READ_FRAMEBUFFER_BINDING),
        TERN_STATE(GL_RENDERBUFFER_BINDING),
        TERN_STATE(GL_SAMPLE_COVERAGE_INVERT),
        TERN_STATES(GL_SCISSOR_BOX, 4),
        TERN_STATE(GL_SHADER_STORAGE_BUFFER_BINDING),
        TERN_STATE(GL_STENCIL_BACK_FAIL),
        TERN_STATE(GL_STENCIL_BACK_FUNC),
        TERN_STATE(GL_STENCIL_BACK_PASS_DEPTH_FAIL),
        TERN_STATE(GL_STENCIL_BACK_PASS_DEPTH_PASS),
        TERN_STATE(GL_STENCIL_BACK_REF),
        TERN_STATE(GL_STENCIL_BACK_VALUE_MASK),
        TERN_STATE(GL_STENCIL_BACK_WRITEMASK),
        TERN_STATE(GL_STENCIL_CLEAR_VALUE),
        TERN_STATE(GL_STENCIL_FAIL),
        TERN_STATE(GL_STENCIL_FUNC),
        TERN_STATE(GL_STENCIL_PASS_DEPTH_FAIL),
        TERN_STATE(GL_STENCIL_PASS_DEPTH_PASS),
        TERN_STATE(GL_STENCIL_REF),
        TERN_STATE(GL_STENCIL_VALUE_MASK),
        TERN_STATE(GL_STENCIL_WRITEMASK),
        TERN_STATE(GL_TRANSFORM_FEEDBACK_BINDING),
        TERN_STATE(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING),
        TERN_STATE(GL_UNIFORM_BUFFER_BINDING),
        TERN_STATE(GL_UNPACK_ALIGNMENT),
        TERN_STATE(GL_UNPACK_IMAGE_HEIGHT),
        TERN_STATE(GL_UNPACK_ROW_LENGTH),
        TERN_STATE(GL_UNPACK_SKIP_IMAGES),
        TERN_STATE(GL_UNPACK_SKIP_PIXELS),
        TERN_STATE(GL_UNPACK_SKIP_ROWS),
        TERN_STATE(GL_VERTEX_ARRAY_BINDING),
        TERN_STATES(GL_VIEWPORT, 4),
    };
    for (const StateName& entry : kNames) {
      GLint64 values[4] = {};
      gl_.GetInteger64v(entry.what, values);
      for (int i = 0; i < entry.count; ++i) Add(entry.name, values[i]);
    }
  }

  void Floats() {
    static constexpr StateName kNames[] = {
        TERN_STATES(GL_BLEND_COLOR, 4),      TERN_STATES(GL_COLOR_CLEAR_VALUE, 4),
        TERN_STATE(GL_DEPTH_CLEAR_VALUE),    TERN_STATES(GL_DEPTH_RANGE, 2),
        TERN_STATE(GL_LINE_WIDTH),           TERN_STATE(GL_POLYGON_OFFSET_FACTOR),
        TERN_STATE(GL_POLYGON_OFFSET_UNITS), TERN_STATE(GL_SAMPLE_COVERAGE_VALUE),
    };
    for (const StateName& entry : kNames) {
      GLfloat values[4] = {};
      app_.glGetFloatv(entry.what, values);
      for (int i = 0; i < entry.count; ++i) Add(entry.name, values[i]);
    }
  }

  void Switches() {
    static constexpr StateName kNames[] = {
        TERN_STATE(GL_BLEND),
        TERN_STATE(GL_CULL_FACE),
        TERN_STATE(GL_DEPTH_TEST),
        TERN_STATE(GL_DITHER),
        TERN_STATE(GL_POLYGON_OFFSET_FILL),
        TERN_STATE(GL_PRIMITIVE_RESTART_FIXED_INDEX),
        TERN_STATE(GL_RASTERIZER_DISCARD),
        TERN_STATE(GL_SAMPLE_ALPHA_TO_COVERAGE),
        TERN_STATE(GL_SAMPLE_COVERAGE),
        TERN_STATE(GL_SAMPLE_MASK),
        TERN_STATE(GL_SCISSOR_TEST),
        TERN_STATE(GL_STENCIL_TEST),
    };
    for (const StateName& entry : kNames) Add(entry.name, int{app_.glIsEnabled(entry.what)});
  }

  void Indexed() {
    struct Table {
      GLenum limit;
      std::vector<StateName> names;
    };
    static const std::vector<Table> kTables = {
        {GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS,
         {TERN_STATE(GL_SHADER_STORAGE_BUFFER_BINDING), TERN_STATE(GL_SHADER_STORAGE_BUFFER_START),
          TERN_STATE(GL_SHADER_STORAGE_BUFFER_SIZE)}},
        {GL_MAX_UNIFORM_BUFFER_BINDINGS,
         {TERN_STATE(GL_UNIFORM_BUFFER_BINDING), TERN_STATE(GL_UNIFORM_BUFFER_START),
          TERN_STATE(GL_UNIFORM_BUFFER_SIZE)}},
        {GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
         {TERN_STATE(GL_ATOMIC_COUNTER_BUFFER_BINDING), TERN_STATE(GL_ATOMIC_COUNTER_BUFFER_START),
          TERN_STATE(GL_ATOMIC_COUNTER_BUFFER_SIZE)}},
        {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
         {TERN_STATE(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING),
          TERN_STATE(GL_TRANSFORM_FEEDBACK_BUFFER_START),
          TERN_STATE(GL_TRANSFORM_FEEDBACK_BUFFER_SIZE)}},
        {GL_MAX_IMAGE_UNITS,
         {TERN_STATE(GL_IMAGE_BINDING_NAME), TERN_STATE(GL_IMAGE_BINDING_LEVEL),
          TERN_STATE(GL_IMAGE_BINDING_LAYERED), TERN_STATE(GL_IMAGE_BINDING_LAYER),
          TERN_STATE(GL_IMAGE_BINDING_ACCESS), TERN_STATE(GL_IMAGE_BINDING_FORMAT)}},
        {GL_MAX_VERTEX_ATTRIB_BINDINGS,
         {TERN_STATE(GL_VERTEX_BINDING_BUFFER), TERN_STATE(GL_VERTEX_BINDING_OFFSET),
          TERN_STATE(GL_VERTEX_BINDING_STRIDE), TERN_STATE(GL_VERTEX_BINDING_DIVISOR)}},
        {GL_MAX_SAMPLE_MASK_WORDS, {TERN_STATE(GL_SAMPLE_MASK_VALUE)}},
    };
    for (const Table& table : kTables) {
      const GLint64 count = Integer(table.limit);
      for (GLuint i = 0; i < count; ++i) {
        for (const StateName& entry : table.names) {
          GLint64 value = 0;
          app_.glGetInteger64i_v(entry.what, i, &value);
          Add(entry.name + (' ' + std::to_string(i)), value);
        }
      }
    }
  }

  void Textures() {
    static constexpr StateName kNames[] = {
        TERN_STATE(GL_TEXTURE_BINDING_2D), TERN_STATE(GL_TEXTURE_BINDING_2D_ARRAY),
        TERN_STATE(GL_TEXTURE_BINDING_3D), TERN_STATE(GL_TEXTURE_BINDING_CUBE_MAP),
        TERN_STATE(GL_SAMPLER_BINDING),    TERN_STATE(GL_TEXTURE_BINDING_2D_MULTISAMPLE),
    };
    const GLint64 active = Integer(GL_ACTIVE_TEXTURE);
    const GLint64 count = Integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
    for (GLuint i = 0; i < count; ++i) {
      app_.glActiveTexture(GL_TEXTURE0 + i);
      for (const StateName& entry : kNames)
        Add(entry.name + (' ' + std::to_string(i)), Integer(entry.what));
    }
    app_.glActiveTexture(static_cast<GLenum>(active));
  }

  void Vertices() {
    static constexpr StateName kNames[] = {
        TERN_STATE(GL_VERTEX_ATTRIB_ARRAY_ENABLED),
        TERN_STATE(GL_VERTEX_ATTRIB_ARRAY_SIZE),
        TERN_STATE(GL_VERTEX_ATTRIB_ARRAY_STRIDE),
        TERN_STATE(GL_VERTEX_ATTRIB_ARRAY_TYPE),
        TERN_STATE(GL_VERTEX_ATTRIB_ARRAY_NORMALIZED),
        TERN_STATE(GL_VERTEX_ATTRIB_ARRAY_INTEGER),
        TERN_STATE(GL_VERTEX_ATTRIB_ARRAY_DIVISOR),
        TERN_STATE(GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING),
        TERN_STATE(GL_VERTEX_ATTRIB_BINDING),
        TERN_STATE(GL_VERTEX_ATTRIB_RELATIVE_OFFSET),
    };
    const GLint64 count = Integer(GL_MAX_VERTEX_ATTRIBS);
    for (GLuint i = 0; i < count; ++i) {
      for (const StateName& entry : kNames) {
        GLint value = 0;
        app_.glGetVertexAttribiv(i, entry.what, &value);
        Add(entry.name + (' ' + std::to_string(i)), value);
      }
      GLfloat values[4] = {};
      app_.glGetVertexAttribfv(i, GL_CURRENT_VERTEX_ATTRIB, values);
      for (const GLfloat value : values)
        Add("GL_CURRENT_VERTEX_ATTRIB " + std::to_string(i), value);
    }
  }

  const GlFunctions& gl_;
  const AppFunctions app_;
  GlState state_;
};

#undef TERN_STATE
#undef TERN_STATES

}  // namespace tern::gpu::testing

#endif  // TERN_GPU_BACKENDS_GLES_TESTING_GL_STATE_H_
