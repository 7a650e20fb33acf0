// SPDX-License-Identifier: Apache-2.0
// For tests: an application that has changed everything it can.
#ifndef TERN_GPU_BACKENDS_GLES_TESTING_UNUSUAL_STATE_H_
#define TERN_GPU_BACKENDS_GLES_TESTING_UNUSUAL_STATE_H_

#include "gpu/backends/gles/gl_library.h"
#include "gpu/backends/gles/testing/gl_state.h"

namespace tern::gpu::testing {

inline void MakeUnusualBuffers(const GlFunctions& gl) {
  constexpr GLenum kTargets[] = {
      GL_ARRAY_BUFFER,      GL_ELEMENT_ARRAY_BUFFER,     GL_COPY_READ_BUFFER,
      GL_COPY_WRITE_BUFFER, GL_DISPATCH_INDIRECT_BUFFER, GL_DRAW_INDIRECT_BUFFER,
      GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER,      GL_SHADER_STORAGE_BUFFER,
      GL_UNIFORM_BUFFER,    GL_ATOMIC_COUNTER_BUFFER,    GL_TRANSFORM_FEEDBACK_BUFFER};
  for (const GLenum target : kTargets) {
    GLuint name = 0;
    gl.GenBuffers(1, &name);
    gl.BindBuffer(target, name);
    gl.BufferData(target, 4096, nullptr, GL_DYNAMIC_DRAW);
    const bool indexed = target == GL_SHADER_STORAGE_BUFFER || target == GL_UNIFORM_BUFFER ||
                         target == GL_ATOMIC_COUNTER_BUFFER ||
                         target == GL_TRANSFORM_FEEDBACK_BUFFER;
    // The slots that the backend uses first in its own context.
    if (indexed) gl.BindBufferRange(target, 0, name, 1024, 512);
    if (target == GL_SHADER_STORAGE_BUFFER) gl.BindBufferRange(target, 1, name, 2048, 256);
  }
}

inline void MakeUnusualTextures(const AppFunctions& app) {
  GLuint texture = 0, sampler = 0, drawn = 0, read = 0, memory = 0;
  app.glGenTextures(1, &texture);
  app.glActiveTexture(GL_TEXTURE3);
  app.glBindTexture(GL_TEXTURE_2D, texture);
  app.glTexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 16, 16);
  app.glGenSamplers(1, &sampler);
  app.glBindSampler(3, sampler);
  app.glBindImageTexture(0, texture, 1, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
  app.glGenFramebuffers(1, &drawn);
  app.glGenFramebuffers(1, &read);
  app.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, drawn);
  app.glBindFramebuffer(GL_READ_FRAMEBUFFER, read);
  app.glGenRenderbuffers(1, &memory);
  app.glBindRenderbuffer(GL_RENDERBUFFER, memory);
  // Without a stencil all references are 0.
  app.glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, 16, 16);
  app.glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                memory);
}

inline void MakeUnusualVertices(const GlFunctions& gl, const AppFunctions& app) {
  GLuint array = 0, buffer = 0, index = 0, feedback = 0, pipeline = 0, query = 0;
  app.glGenVertexArrays(1, &array);
  app.glBindVertexArray(array);
  gl.GenBuffers(1, &index);
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, index);
  gl.GenBuffers(1, &buffer);
  app.glBindVertexBuffer(1, buffer, 64, 32);
  app.glVertexAttribFormat(0, 2, GL_SHORT, GL_TRUE, 8);
  app.glVertexAttribBinding(0, 1);
  app.glEnableVertexAttribArray(0);
  app.glVertexAttrib4f(2, 1.5f, 2.5f, 3.5f, 4.5f);
  app.glGenTransformFeedbacks(1, &feedback);
  app.glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
  gl.BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 1, buffer, 16, 32);
  app.glGenProgramPipelines(1, &pipeline);
  app.glBindProgramPipeline(pipeline);
  app.glGenQueries(1, &query);
  app.glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
}

// The one switch of core OpenGL ES that is on at first goes off, all others go on.
inline void MakeUnusualSwitches(const AppFunctions& app) {
  app.glDisable(GL_DITHER);
  for (const GLenum what :
       {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_POLYGON_OFFSET_FILL,
        GL_PRIMITIVE_RESTART_FIXED_INDEX, GL_RASTERIZER_DISCARD, GL_SAMPLE_ALPHA_TO_COVERAGE,
        GL_SAMPLE_COVERAGE, GL_SAMPLE_MASK, GL_SCISSOR_TEST, GL_STENCIL_TEST})
    app.glEnable(static_cast<GLenum>(what));
}

inline void MakeUnusualPixels(const AppFunctions& app) {
  app.glViewport(1, 2, 30, 40);
  app.glScissor(3, 4, 5, 6);
  app.glBlendColor(0.1f, 0.2f, 0.3f, 0.4f);
  app.glBlendEquationSeparate(GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT);
  app.glBlendFuncSeparate(GL_SRC_ALPHA, GL_DST_ALPHA, GL_CONSTANT_ALPHA, GL_DST_COLOR);
  app.glClearColor(0.5f, 0.6f, 0.7f, 0.8f);
  app.glClearDepthf(0.25f);
  app.glClearStencil(5);
  app.glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
  app.glCullFace(GL_FRONT);
  app.glFrontFace(GL_CW);
  app.glDepthFunc(GL_GEQUAL);
  app.glDepthMask(GL_FALSE);
  app.glDepthRangef(0.25f, 0.75f);
  app.glLineWidth(1.5f);
  app.glPolygonOffset(2.0f, 3.0f);
  app.glSampleCoverage(0.5f, GL_TRUE);
  app.glSampleMaski(0, 0x55);
  app.glHint(GL_GENERATE_MIPMAP_HINT, GL_NICEST);
  app.glHint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, GL_FASTEST);
  app.glStencilFuncSeparate(GL_FRONT, GL_LESS, 1, 0x0f);
  app.glStencilFuncSeparate(GL_BACK, GL_GREATER, 2, 0xf0);
  app.glStencilMaskSeparate(GL_FRONT, 0x33);
  app.glStencilMaskSeparate(GL_BACK, 0x44);
  app.glStencilOpSeparate(GL_FRONT, GL_INCR, GL_DECR, GL_INVERT);
  app.glStencilOpSeparate(GL_BACK, GL_REPLACE, GL_ZERO, GL_INCR_WRAP);
  for (const GLenum what :
       {GL_PACK_ROW_LENGTH, GL_PACK_SKIP_PIXELS, GL_PACK_SKIP_ROWS, GL_UNPACK_IMAGE_HEIGHT,
        GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_IMAGES, GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SKIP_ROWS})
    app.glPixelStorei(static_cast<GLenum>(what), 7);
  app.glPixelStorei(GL_PACK_ALIGNMENT, 2);
  app.glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
}

// Gives the thread's context other values than a new one has, wherever that can be done without
// drawing. The objects that it makes live as long as the context.
inline void MakeUnusual(const GlFunctions& gl, GLuint program) {
  const AppFunctions app(gl);
  MakeUnusualVertices(gl, app);
  MakeUnusualBuffers(gl);
  MakeUnusualTextures(app);
  MakeUnusualSwitches(app);
  MakeUnusualPixels(app);
  gl.UseProgram(program);
}

}  // namespace tern::gpu::testing

#endif  // TERN_GPU_BACKENDS_GLES_TESTING_UNUSUAL_STATE_H_
