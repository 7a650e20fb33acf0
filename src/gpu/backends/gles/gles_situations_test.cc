// SPDX-License-Identifier: Apache-2.0
// Threads, foreign contexts, forked children, drivers that are missing, refuse or lose the context.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/gles/egl_context.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_device.h"
#include "gpu/backends/gles/gl_error.h"
#include "gpu/backends/gles/gl_thread.h"
#include "gpu/backends/gles/testing/fixtures.h"

namespace tern::gpu {
namespace {

using conformance::Contains;
using conformance::Fill;
using conformance::Floats;
using conformance::NewRange;
using conformance::ScaleProgram;
using conformance::ScaleWords;

// ---- without a driver

TEST(GlThread, RunsTasksOfAllThreadsInItsOwn) {
  GlThread worker;
  std::thread::id id;
  worker.Run([&] { id = std::this_thread::get_id(); });
  EXPECT_NE(id, std::this_thread::get_id());
  int sum = 0;  // no lock: only the worker writes it
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        worker.Run([&] {
          EXPECT_EQ(std::this_thread::get_id(), id);
          worker.Run([&] { ++sum; });
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 800);
}

TEST(GlLibrary, MissingLibraryIsAnError) {
  auto functions = LoadGlFunctions({"libno_such_egl.so.7", "/no/such/libEGL.so"}, {"libm.so.6"});
  ASSERT_FALSE(functions.ok());
  EXPECT_TRUE(Contains(functions.status(), "libno_such_egl.so.7")) << functions.status();
  EXPECT_TRUE(Contains(functions.status(), "/no/such/libEGL.so")) << functions.status();
  functions = LoadGlFunctions({"libm.so.6"}, {"libno_such_gles.so"});
  ASSERT_FALSE(functions.ok());
  EXPECT_TRUE(Contains(functions.status(), "libno_such_gles.so")) << functions.status();
}

TEST(GlLibrary, MissingFunctionIsAnError) {
  // Any library that is neither.
  auto functions = LoadGlFunctions({"libm.so.6"}, {"libm.so.6"});
  ASSERT_FALSE(functions.ok());
  EXPECT_TRUE(Contains(functions.status(), "eglBindAPI")) << functions.status();
}

TEST(GlLibrary, Extensions) {
  EXPECT_TRUE(HasExtension("EGL_a EGL_b EGL_c", "EGL_b"));
  EXPECT_TRUE(HasExtension("EGL_a EGL_b ", "EGL_b"));
  EXPECT_FALSE(HasExtension("EGL_abc EGL_b2", "EGL_b"));
  EXPECT_FALSE(HasExtension("", "EGL_b"));
  EXPECT_FALSE(HasExtension(nullptr, "EGL_b"));
}

TEST(GlError, Names) {
  EXPECT_EQ(GlErrorName(GL_OUT_OF_MEMORY), "GL_OUT_OF_MEMORY");
  EXPECT_EQ(GlErrorName(77), "OpenGL ES error 77");
  EXPECT_EQ(EglErrorName(EGL_BAD_MATCH), "EGL_BAD_MATCH");
  EXPECT_EQ(EglErrorName(77), "EGL error 77");
}

// ---- with a driver

using GlesSituations = testing::DriverTest;

// Doubles a buffer on a device of its own; an empty text when all went well.
std::string UseDevice(const GlFunctions& gl, float start) {
  constexpr int kCount = 300;
  auto device = OpenGlesDevice(gl);
  if (!device.ok()) return std::string(device.status().message());
  auto pipeline = (*device)->Compile(ScaleProgram(**device));
  if (!pipeline.ok()) return std::string(pipeline.status().message());
  const BufferRange a = NewRange(**device, kCount * 4), b = NewRange(**device, kCount * 4);
  Fill(**device, a, start);
  auto commands = (*device)->Record(
      {{"double", *pipeline, {a, b}, ScaleWords(kCount, 2.0f, 1), {kCount, 1, 1}, {8, 1, 1}}});
  if (!commands.ok()) return std::string(commands.status().message());
  if (!(*device)->Submit(**commands).ok() || !(*device)->Wait().ok()) return "not run";
  return Floats(**device, b) == std::vector<float>(kCount, 2 * start + 1) ? "" : "wrong numbers";
}

TEST_F(GlesSituations, NoContextIsCurrentBeforeAndAfter) {
  const auto get_current = reinterpret_cast<decltype(&eglGetCurrentContext)>(
      gl_.egl.GetProcAddress("eglGetCurrentContext"));
  ASSERT_NE(get_current, nullptr);
  EXPECT_EQ(get_current(), EGL_NO_CONTEXT);
  EXPECT_EQ(UseDevice(gl_, 3.0f), "");
  EXPECT_EQ(get_current(), EGL_NO_CONTEXT);
}

TEST_F(GlesSituations, ForeignContextStaysAsItIs) {
  std::thread application([&] {
    const auto get_current = reinterpret_cast<decltype(&eglGetCurrentContext)>(
        gl_.egl.GetProcAddress("eglGetCurrentContext"));
    const auto get_integer =
        reinterpret_cast<decltype(&glGetIntegerv)>(gl_.egl.GetProcAddress("glGetIntegerv"));
    ASSERT_NE(get_integer, nullptr);
    auto foreign = EglContext::Create(gl_);
    ASSERT_TRUE(foreign.ok()) << foreign.status();
    const EGLContext context = get_current();
    ASSERT_NE(context, EGL_NO_CONTEXT);
    GLuint buffers[2] = {};
    gl_.GenBuffers(2, buffers);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, buffers[0]);
    gl_.BindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[1]);
    const uint32_t word = 0x12345678;
    gl_.BufferData(GL_COPY_WRITE_BUFFER, sizeof(word), &word, GL_STATIC_DRAW);

    EXPECT_EQ(UseDevice(gl_, 5.0f), "");

    EXPECT_EQ(get_current(), context);
    GLint copy = 0, storage = 0, program = -1;
    get_integer(GL_COPY_WRITE_BUFFER_BINDING, &copy);
    get_integer(GL_SHADER_STORAGE_BUFFER_BINDING, &storage);
    get_integer(GL_CURRENT_PROGRAM, &program);
    EXPECT_EQ(copy, static_cast<GLint>(buffers[0]));
    EXPECT_EQ(storage, static_cast<GLint>(buffers[1]));
    EXPECT_EQ(program, 0);
    const void* memory = gl_.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, sizeof(word), GL_MAP_READ_BIT);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(*static_cast<const uint32_t*>(memory), word);
    gl_.UnmapBuffer(GL_COPY_WRITE_BUFFER);
    gl_.DeleteBuffers(2, buffers);
    EXPECT_EQ(gl_.GetError(), static_cast<GLenum>(GL_NO_ERROR));
  });
  application.join();
}

// The application may drop its context while the device lives.
TEST_F(GlesSituations, ForeignContextGoesInBetween) {
  auto foreign = EglContext::Create(gl_);
  ASSERT_TRUE(foreign.ok()) << foreign.status();
  auto device = OpenGlesDevice(gl_);
  ASSERT_TRUE(device.ok()) << device.status();
  const BufferRange range = NewRange(**device, 64);
  foreign->reset();
  Fill(**device, range, 7.0f);
  EXPECT_EQ(Floats(**device, range), std::vector<float>(16, 7.0f));
}

TEST_F(GlesSituations, ThreadsMakeUseAndDropDevices) {
  const int before = GlHandle::live();
  std::vector<std::thread> threads;
  std::vector<std::string> problems(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 3 && problems[t].empty(); ++round)
        problems[t] = UseDevice(gl_, static_cast<float>(t + round));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& problem : problems) EXPECT_EQ(problem, "");
  EXPECT_EQ(GlHandle::live(), before);
}

// Made on one thread, used on a second, dropped on a third.
TEST_F(GlesSituations, DeviceMovesBetweenThreads) {
  std::shared_ptr<Device> device;
  BufferRange range;
  std::thread([&] { device = OpenGlesDevice(gl_).value_or(nullptr); }).join();
  ASSERT_NE(device, nullptr);
  std::thread([&] {
    range = NewRange(*device, 64);
    Fill(*device, range, 2.0f);
  }).join();
  EXPECT_EQ(Floats(*device, range), std::vector<float>(16, 2.0f));
  std::thread([&] {
    device.reset();
    range.buffer.reset();
  }).join();
}

TEST_F(GlesSituations, ForkedChildGetsErrors) {
  auto device = OpenGlesDevice(gl_);
  ASSERT_TRUE(device.ok()) << device.status();
  const BufferRange range = NewRange(**device, 64);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    char byte = 0;
    const bool refused = !(*device)->Upload(range, &byte, 1).ok() && !(*device)->Wait().ok() &&
                         !(*device)->CreateBuffer(4).ok();
    _exit(refused ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  Fill(**device, range, 1.0f);
}

// ---- drivers that fail

EGLBoolean EGLAPIENTRY NoInitialize(EGLDisplay, EGLint*, EGLint*) { return EGL_FALSE; }
EGLint EGLAPIENTRY NotInitialized() { return EGL_NOT_INITIALIZED; }

TEST_F(GlesSituations, NoDisplayIsAnErrorThatNamesEach) {
  gl_.egl.Initialize = &NoInitialize;
  gl_.egl.GetError = &NotInitialized;
  auto device = OpenGlesDevice(gl_);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(Contains(device.status(), "default: eglInitialize: EGL_NOT_INITIALIZED"))
      << device.status();
}

EGLContext EGLAPIENTRY NoContext(EGLDisplay, EGLConfig, EGLContext, const EGLint*) {
  return EGL_NO_CONTEXT;
}
EGLint EGLAPIENTRY BadMatch() { return EGL_BAD_MATCH; }

TEST_F(GlesSituations, OldVersionIsAnError) {
  gl_.egl.CreateContext = &NoContext;
  gl_.egl.GetError = &BadMatch;
  auto device = OpenGlesDevice(gl_);
  ASSERT_FALSE(device.ok());
  EXPECT_TRUE(Contains(device.status(), "eglCreateContext of OpenGL ES 3.1: EGL_BAD_MATCH: it has"))
      << device.status();
}

std::atomic<int> errors_to_report = 0;
GLenum GL_APIENTRY OutOfMemoryOnce() {
  return errors_to_report.exchange(0) > 0 ? GL_OUT_OF_MEMORY : GL_NO_ERROR;
}

TEST_F(GlesSituations, ErrorsNameTheCall) {
  errors_to_report = 0;
  gl_.GetError = &OutOfMemoryOnce;
  auto device = OpenGlesDevice(gl_);
  ASSERT_TRUE(device.ok()) << device.status();
  const int before = GlHandle::live();
  errors_to_report = 1;
  auto buffer = (*device)->CreateBuffer(1000);
  ASSERT_FALSE(buffer.ok());
  EXPECT_EQ(buffer.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(buffer.status().message(), "glBufferData of 1000 bytes: GL_OUT_OF_MEMORY");
  EXPECT_EQ(GlHandle::live(), before);
  errors_to_report = 1;
  EXPECT_FALSE((*device)->Compile(ScaleProgram(**device)).ok());
  EXPECT_EQ(GlHandle::live(), before);
  EXPECT_TRUE((*device)->Compile(ScaleProgram(**device)).ok()) << "the device stays usable";
}

std::atomic<bool> context_lost = false;
// A driver may tell it once.
GLenum GL_APIENTRY ResetStatus() {
  return context_lost.exchange(false) ? GL_GUILTY_CONTEXT_RESET_EXT : GL_NO_ERROR;
}

TEST_F(GlesSituations, LostContextStaysLost) {
  context_lost = false;
  gl_.GetGraphicsResetStatus = &ResetStatus;
  auto device = OpenGlesDevice(gl_);
  ASSERT_TRUE(device.ok()) << device.status();
  const BufferRange range = NewRange(**device, 64);
  const auto commands = (*device)->Record({});
  ASSERT_TRUE(commands.ok()) << commands.status();
  context_lost = true;
  const absl::Status lost = (*device)->RunTimed(**commands).status();
  if (lost.ok()) GTEST_SKIP() << "the driver has no robust contexts";
  EXPECT_EQ(lost.code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(Contains(lost, "GL_GUILTY_CONTEXT_RESET")) << lost;
  char byte = 0;
  EXPECT_EQ((*device)->Upload(range, &byte, 1), lost);
  EXPECT_EQ(UseDevice(gl_, 1.0f), "") << "a new device works";
}

// ---- drivers that the environment spoils; each in a fresh process

TEST(GlesDrivers, NoDriverIsAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/no/such/file.json", 1);
        setenv("LIBGL_DRIVERS_PATH", "/no/such/folder", 1);
        const auto device = OpenGlesDevice();
        std::_Exit(Contains(device.status(), "OpenGL ES: ") ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

// Mesa can pretend to be older; other drivers, and machines without one, are let pass.
TEST(GlesDrivers, OldDriverIsAnErrorThatSaysItsVersion) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("MESA_GLES_VERSION_OVERRIDE", "3.0", 1);
        const auto device = OpenGlesDevice();
        const bool mesa = device.ok() ? Contains(Unavailable((*device)->info().driver), "Mesa")
                                      : Contains(device.status(), "Mesa");
        const bool named = Contains(device.status(),
                                    "eglCreateContext of OpenGL ES 3.1: EGL_BAD_MATCH: it has "
                                    "OpenGL ES 3.0");
        std::_Exit(!mesa || named ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tern::gpu
