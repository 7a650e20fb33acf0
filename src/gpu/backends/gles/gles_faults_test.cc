// SPDX-License-Identifier: Apache-2.0
// One function of the driver fails at a time: the error names it, nothing is left behind, and the
// device works again as soon as the driver does.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_device.h"
#include "gpu/backends/gles/testing/fixtures.h"

namespace tern::gpu {
namespace {

GlFunctions real;
std::atomic<bool> failing = false;

GLsync GL_APIENTRY NoFence(GLenum condition, GLbitfield flags) {
  return failing ? nullptr : real.FenceSync(condition, flags);
}
GLenum GL_APIENTRY FailedWait(GLsync sync, GLbitfield flags, GLuint64 time) {
  return failing ? GL_WAIT_FAILED : real.ClientWaitSync(sync, flags, time);
}
// Only the fence that is waited for first is never signaled.
std::atomic<GLsync> held = nullptr;
GLenum GL_APIENTRY LongWait(GLsync sync, GLbitfield flags, GLuint64 time) {
  GLsync none = nullptr;
  if (failing) held.compare_exchange_strong(none, sync);
  return failing && held == sync ? GL_TIMEOUT_EXPIRED : real.ClientWaitSync(sync, flags, time);
}
void* GL_APIENTRY NoMapping(GLenum target, GLintptr offset, GLsizeiptr bytes, GLbitfield access) {
  return failing ? nullptr : real.MapBufferRange(target, offset, bytes, access);
}
GLboolean GL_APIENTRY LostMapping(GLenum target) {
  return real.UnmapBuffer(target) && !failing ? GL_TRUE : GL_FALSE;
}
// More than any machine has.
void GL_APIENTRY HugeData(GLenum target, GLsizeiptr bytes, const void* data, GLenum usage) {
  real.BufferData(target, failing ? GLsizeiptr{1} << 60 : bytes, data, usage);
}
void GL_APIENTRY NoNames(GLsizei count, GLuint* names) {
  if (!failing) return real.GenBuffers(count, names);
  for (GLsizei i = 0; i < count; ++i) names[i] = 0;
}
GLuint GL_APIENTRY NoShader(GLenum kind) { return failing ? 0 : real.CreateShader(kind); }
GLuint GL_APIENTRY NoProgram() { return failing ? 0 : real.CreateProgram(); }
void GL_APIENTRY NotCompiled(GLuint shader, GLenum what, GLint* value) {
  real.GetShaderiv(shader, what, value);
  if (failing && what == GL_COMPILE_STATUS) *value = GL_FALSE;
}
void GL_APIENTRY NotLinked(GLuint program, GLenum what, GLint* value) {
  real.GetProgramiv(program, what, value);
  if (failing && what == GL_LINK_STATUS) *value = GL_FALSE;
}
// The driver itself then says what is wrong with the text.
void GL_APIENTRY OtherText(GLuint shader, GLsizei count, const GLchar* const* texts,
                           const GLint* lengths) {
  const char* text = "#version 310 es\nlayout(local_size_x = 1) in;\nvoid main() { so_odd(); }\n";
  if (!failing) return real.ShaderSource(shader, count, texts, lengths);
  real.ShaderSource(shader, 1, &text, nullptr);
}
void GL_APIENTRY TooManyGroups(GLuint x, GLuint y, GLuint z) {
  real.DispatchCompute(x, failing ? 0x7fffffff : y, z);  // so many along x are allowed somewhere
}
void GL_APIENTRY WrongTarget(GLenum target, GLuint slot, GLuint name, GLintptr offset,
                             GLsizeiptr bytes) {
  real.BindBufferRange(failing ? GL_TEXTURE_2D : target, slot, name, offset, bytes);
}
void GL_APIENTRY WrongProgram(GLuint program) { real.UseProgram(failing ? 0x7ffffff : program); }
void GL_APIENTRY WrongOffset(GLenum target, GLintptr offset, GLsizeiptr bytes, const void* from) {
  real.BufferSubData(target, failing ? -1 : offset, bytes, from);
}

struct Fault {
  const char* text;  // in the error of the operation
  std::function<void(GlFunctions&)> put;
};

class GlesDriverFaults : public testing::DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    real = gl_;
    failing = false;
  }

  // The operation works before and after the fault, and says why not meanwhile.
  static void Check(const Fault& fault, absl::Status (*operation)(Device&)) {
    SCOPED_TRACE(fault.text);
    const int before = GlHandle::live();
    {
      GlFunctions faulty = real;
      fault.put(faulty);
      const auto device = OpenGlesDevice(faulty);
      ASSERT_TRUE(device.ok()) << device.status();
      EXPECT_EQ(operation(**device), absl::OkStatus());
      const int live = GlHandle::live();
      for (int round = 0; round < 2; ++round) {
        failing = true;
        const absl::Status status = operation(**device);
        failing = false;
        EXPECT_NE(std::string(status.message()).find(fault.text), std::string::npos) << status;
        EXPECT_EQ(GlHandle::live(), live);
      }
      EXPECT_EQ(operation(**device), absl::OkStatus());
    }
    EXPECT_EQ(GlHandle::live(), before);
  }
};

absl::Status Make(Device& device) { return device.CreateBuffer(1000).status(); }
absl::Status Build(Device& device) {
  return device.Compile(conformance::ScaleProgram(device)).status();
}
absl::Status Wait(Device& device) { return device.Wait(); }

// A buffer made without the fault, and a copy with it.
absl::Status Copy(Device& device, bool up) {
  const bool fails = failing.exchange(false);
  const BufferRange range = conformance::NewRange(device, 64);
  failing = fails;
  float values[16] = {};
  return up ? device.Upload(range, values, 64) : device.Download(range, values, 64);
}
absl::Status Up(Device& device) { return Copy(device, true); }
absl::Status Down(Device& device) { return Copy(device, false); }

absl::Status Launch(Device& device) {
  const bool fails = failing.exchange(false);
  const BufferRange range = conformance::NewRange(device, 64);
  TERN_ASSIGN_OR_RETURN(const auto pipeline, device.Compile(conformance::ScaleProgram(device)));
  TERN_ASSIGN_OR_RETURN(const auto commands, device.Record({{"the launch",
                                                             pipeline,
                                                             {range, range},
                                                             conformance::ScaleWords(16, 1.0f, 1),
                                                             {16, 1, 1},
                                                             {8, 1, 1}}}));
  failing = fails;
  TERN_RETURN_IF_ERROR(device.Submit(*commands));
  return device.Wait();
}

TEST_F(GlesDriverFaults, Buffers) {
  Check({"glBufferData of 1000 bytes: GL_OUT_OF_MEMORY",
         [](GlFunctions& gl) { gl.BufferData = &HugeData; }},
        Make);
  Check({"glBufferData of 1000 bytes: GL_INVALID_OPERATION",
         [](GlFunctions& gl) { gl.GenBuffers = &NoNames; }},
        Make);
}

TEST_F(GlesDriverFaults, Copies) {
  Check({"glBufferSubData: GL_INVALID_VALUE",
         [](GlFunctions& gl) { gl.BufferSubData = &WrongOffset; }},
        Up);
  Check({"glMapBufferRange: no memory, no error",
         [](GlFunctions& gl) { gl.MapBufferRange = &NoMapping; }},
        Down);
  Check({"glUnmapBuffer: the memory got lost while it was read",
         [](GlFunctions& gl) { gl.UnmapBuffer = &LostMapping; }},
        Down);
}

TEST_F(GlesDriverFaults, Programs) {
  Check({"so_odd", [](GlFunctions& gl) { gl.ShaderSource = &OtherText; }}, Build);
  Check({"glCompileShader: ", [](GlFunctions& gl) { gl.ShaderSource = &OtherText; }}, Build);
  Check({"glCompileShader: no log", [](GlFunctions& gl) { gl.GetShaderiv = &NotCompiled; }}, Build);
  Check({"glLinkProgram: no log", [](GlFunctions& gl) { gl.GetProgramiv = &NotLinked; }}, Build);
  Check({"glCompileShader: GL_INVALID_VALUE", [](GlFunctions& gl) { gl.CreateShader = &NoShader; }},
        Build);
  Check({"glLinkProgram: GL_INVALID_VALUE", [](GlFunctions& gl) { gl.CreateProgram = &NoProgram; }},
        Build);
}

TEST_F(GlesDriverFaults, Launches) {
  Check({"the launch: glDispatchCompute: GL_INVALID_VALUE",
         [](GlFunctions& gl) { gl.DispatchCompute = &TooManyGroups; }},
        Launch);
  Check({"the launch: glBindBufferRange: GL_INVALID_ENUM",
         [](GlFunctions& gl) { gl.BindBufferRange = &WrongTarget; }},
        Launch);
  Check({"the launch: glUseProgram: GL_INVALID_VALUE",
         [](GlFunctions& gl) { gl.UseProgram = &WrongProgram; }},
        Launch);
}

TEST_F(GlesDriverFaults, Waits) {
  Check({"glClientWaitSync: GL_INVALID_VALUE", [](GlFunctions& gl) { gl.FenceSync = &NoFence; }},
        Wait);
  Check({"glClientWaitSync: failed", [](GlFunctions& gl) { gl.ClientWaitSync = &FailedWait; }},
        Wait);
}

// The runs of some queues begin and end while another queue waits.
TEST_F(GlesDriverFaults, QueuesDoNotWaitForEachOther) {
  GlFunctions slow = real;
  slow.ClientWaitSync = &LongWait;
  const auto device = OpenGlesDevice(slow);
  ASSERT_TRUE(device.ok()) << device.status();
  const std::shared_ptr<Queue> queue = (*device)->NewQueue();
  held = nullptr;
  failing = true;
  absl::Status waited = Unavailable("still waiting");
  std::thread thread([&] { waited = queue->Wait(); });
  while (held == nullptr) std::this_thread::yield();
  conformance::RunQueues(**device);
  failing = false;
  thread.join();
  EXPECT_TRUE(waited.ok()) << waited;
}

// ---- failures while a device is opened

EGLBoolean EGLAPIENTRY NotBound(EGLenum) { return EGL_FALSE; }
EGLBoolean EGLAPIENTRY NoConfig(EGLDisplay, const EGLint*, EGLConfig*, EGLint, EGLint* count) {
  *count = 0;
  return EGL_TRUE;
}
EGLBoolean EGLAPIENTRY NotCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read,
                                  EGLContext context) {
  return context != EGL_NO_CONTEXT ? EGL_FALSE : real.egl.MakeCurrent(display, draw, read, context);
}
const char* EGLAPIENTRY NoExtensions(EGLDisplay display, EGLint what) {
  return display == EGL_NO_DISPLAY ? real.egl.QueryString(display, what) : "";
}
EGLDisplay EGLAPIENTRY NoDisplay(EGLNativeDisplayType) { return EGL_NO_DISPLAY; }
std::atomic<int> contexts = 0;
EGLContext EGLAPIENTRY CountedCreate(EGLDisplay display, EGLConfig config, EGLContext share,
                                     const EGLint* attributes) {
  const EGLContext context = real.egl.CreateContext(display, config, share, attributes);
  if (context != EGL_NO_CONTEXT) ++contexts;
  return context;
}
EGLBoolean EGLAPIENTRY CountedDestroy(EGLDisplay display, EGLContext context) {
  --contexts;
  return real.egl.DestroyContext(display, context);
}

TEST_F(GlesDriverFaults, Opening) {
  const Fault faults[] = {
      {"eglBindAPI: ", [](GlFunctions& gl) { gl.egl.BindAPI = &NotBound; }},
      {"eglMakeCurrent: ", [](GlFunctions& gl) { gl.egl.MakeCurrent = &NotCurrent; }},
      {"the display has no EGL_KHR_create_context",
       [](GlFunctions& gl) { gl.egl.QueryString = &NoExtensions; }},
      {"default: no display: ", [](GlFunctions& gl) {
         gl.egl.GetPlatformDisplay = nullptr;
         gl.egl.GetDisplay = &NoDisplay;
       }}};
  for (const Fault& fault : faults) {
    GlFunctions faulty = real;
    faulty.egl.CreateContext = &CountedCreate;
    faulty.egl.DestroyContext = &CountedDestroy;
    contexts = 0;
    fault.put(faulty);
    const auto device = OpenGlesDevice(faulty);
    ASSERT_FALSE(device.ok()) << fault.text;
    EXPECT_EQ(device.status().code(), absl::StatusCode::kUnavailable);
    EXPECT_EQ(device.status().message().rfind("OpenGL ES: no display gives a context (", 0), 0u);
    EXPECT_NE(std::string(device.status().message()).find(fault.text), std::string::npos)
        << device.status();
    EXPECT_EQ(contexts, 0) << fault.text;
  }
  EXPECT_TRUE(OpenGlesDevice(real).ok());
}

// Where contexts need a configuration and the display has none.
const char* EGLAPIENTRY FewExtensions(EGLDisplay display, EGLint what) {
  return display == EGL_NO_DISPLAY ? real.egl.QueryString(display, what)
                                   : "EGL_KHR_create_context EGL_KHR_surfaceless_context";
}

TEST_F(GlesDriverFaults, Configurations) {
  GlFunctions faulty = real;
  faulty.egl.QueryString = &FewExtensions;
  EXPECT_TRUE(OpenGlesDevice(faulty).ok()) << "any configuration will do";
  faulty.egl.ChooseConfig = &NoConfig;
  const auto device = OpenGlesDevice(faulty);
  ASSERT_FALSE(device.ok());
  EXPECT_NE(std::string(device.status().message())
                .find("the display has no configuration for OpenGL ES 3"),
            std::string::npos)
      << device.status();
}

}  // namespace
}  // namespace tern::gpu
