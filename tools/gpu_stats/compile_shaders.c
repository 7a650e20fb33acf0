// SPDX-License-Identifier: Apache-2.0
// Compiles compute shaders of OpenGL ES with the driver that EGL finds, and prints what the driver's
// compiler tells of each. Mesa tells it as debug messages. Lines of fields between tabs:
//   device   RENDERER  VERSION  storage blocks of a shader, items of a group, x, y, z, shared bytes, bytes of a block
//   told     FILE      the first message about a compute program
//   refused  FILE      why
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
// Needs the types of the former.
#include <GLES2/gl2ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_files.h"

static char message[4096];

static void PrintLine(const char* kind, const char* file, char* text) {
  for (char* c = text; *c != '\0'; ++c) {
    if (*c == '\t' || *c == '\n' || *c == '\r') *c = ' ';
  }
  printf("%s\t%s\t%s\n", kind, file, text);
  fflush(stdout);
}

// Drivers have shaders of their own, too; those are no compute shaders.
static void GL_APIENTRY Listen(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                               const GLchar* text, const void* user) {
  (void)source, (void)type, (void)id, (void)severity, (void)length, (void)user;
  static const char* const marks[] = {"CL shader:", "COMPUTE shader:", "(CS,"};
  for (size_t i = 0; message[0] == '\0' && i < sizeof(marks) / sizeof(marks[0]); ++i) {
    if (strstr(text, marks[i]) != NULL) snprintf(message, sizeof(message), "%s", text);
  }
}

static void OpenDriver(void) {
  EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  if (!eglInitialize(display, NULL, NULL)) Stop("no driver");
  eglBindAPI(EGL_OPENGL_ES_API);
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                               EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR, EGL_NONE};
  EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) Stop("no context of version 3.1");
  PFNGLDEBUGMESSAGECALLBACKKHRPROC listen =
      (PFNGLDEBUGMESSAGECALLBACKKHRPROC)eglGetProcAddress("glDebugMessageCallbackKHR");
  if (listen == NULL) Stop("no GL_KHR_debug");
  listen(Listen, NULL);
  glEnable(GL_DEBUG_OUTPUT_KHR);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR);
}

static int Limit(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

static void PrintDevice(void) {
  GLint group[3] = {0, 0, 0};
  for (GLuint axis = 0; axis < 3; ++axis) {
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, axis, &group[axis]);
  }
  printf("device\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", (const char*)glGetString(GL_RENDERER),
         (const char*)glGetString(GL_VERSION), Limit(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS),
         Limit(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS), group[0], group[1], group[2],
         Limit(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE), Limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE));
  fflush(stdout);
}

// One small buffer at every place that a shader may read.
static void BindBuffers(void) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, 1 << 16, NULL, GL_DYNAMIC_DRAW);
  const int places = Limit(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS);
  for (int i = 0; i < places; ++i) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)i, buffer);
}

static void CompileOne(const char* path) {
  message[0] = '\0';
  Begin(path);
  char* text = ReadFile(path);
  const GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
  const GLuint program = glCreateProgram();
  glShaderSource(shader, 1, (const GLchar* const*)&text, NULL);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glLinkProgram(program);
  GLint compiled = 0, linked = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (!compiled || !linked) {
    char log[4096] = "";
    if (!compiled) glGetShaderInfoLog(shader, sizeof(log), NULL, log);
    if (compiled) glGetProgramInfoLog(program, sizeof(log), NULL, log);
    PrintLine("refused", path, log);
  } else {
    // Some drivers compile at the first launch. Nothing runs: the stand-in for the kernel drops it.
    glUseProgram(program);
    glDispatchCompute(1, 1, 1);
    glFinish();
    PrintLine("told", path, message);
  }
  glDeleteShader(shader);
  glDeleteProgram(program);
  free(text);
}

int main(int argc, char** argv) {
  OpenDriver();
  PrintDevice();
  BindBuffers();
  for (int i = 1; i < argc; ++i) CompileOne(argv[i]);
  return 0;
}
