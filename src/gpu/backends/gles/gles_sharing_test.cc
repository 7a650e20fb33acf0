// SPDX-License-Identifier: Apache-2.0
// Buffers of the application: joining its share group, order between both contexts, refusals.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_device.h"
#include "gpu/backends/gles/testing/fixtures.h"
#include "gpu/testing/io_cases.h"

namespace tern::gpu {
namespace {

using conformance::Contains;
using testing::AppContext;

constexpr int kCount = 301;  // not a multiple of the slice width

// dst[i] = src[i] * 2 + 1 for two arrays of floats.
ProgramSource DoubleProgram(const Device& device) {
  ProgramSource source = conformance::ScaleProgram(device);
  Signature signature = source.signature;
  for (BufferParam& buffer : signature.buffers) buffer.single = true;
  const Language& language = device.language();
  const std::string value =
      StrCat(language.LoadReal(signature.buffers[0], "i"), " * factor + to_real(number)");
  return conformance::Program(device, signature,
                              StrCat("  int i = GLOBAL_ID_X;\n  if (i < count) { ",
                                     language.StoreReal(signature.buffers[1], "i", value), " }\n"));
}

class GlesSharing : public testing::AppTest {
 protected:
  std::shared_ptr<Device> Open() {
    auto device = OpenGlesDevice(gl_, {.share_current = true});
    EXPECT_TRUE(device.ok()) << device.status();
    return device.value_or(nullptr);
  }
  // Commands that double a buffer of the application into another one, on a device of their own.
  struct Doubling {
    std::shared_ptr<Device> device;
    BufferRange src, dst;
    std::unique_ptr<Commands> commands;  // null where something failed

    absl::Status Run() const {
      TERN_RETURN_IF_ERROR(device->Submit(*commands));
      return device->Wait();
    }
  };
  Doubling RecordDoubling(GLuint in, GLuint out) {
    Doubling made;
    made.device = Open();
    if (made.device == nullptr) return made;
    Device& device = *made.device;
    const auto src = device.Import(in), dst = device.Import(out);
    auto pipeline = device.Compile(DoubleProgram(device));
    EXPECT_TRUE(src.ok()) << src.status();
    EXPECT_TRUE(dst.ok()) << dst.status();
    EXPECT_TRUE(pipeline.ok()) << pipeline.status();
    if (!src.ok() || !dst.ok() || !pipeline.ok()) return made;
    made.src = *src;
    made.dst = *dst;
    auto commands = device.Record({{"double",
                                    *pipeline,
                                    {made.src, made.dst},
                                    conformance::ScaleWords(kCount, 2.0f, 1),
                                    {kCount, 1, 1},
                                    {8, 1, 1}}});
    EXPECT_TRUE(commands.ok()) << commands.status();
    if (commands.ok()) made.commands = *std::move(commands);
    return made;
  }
  static std::vector<float> Doubled(float start) {
    std::vector<float> want(kCount);
    for (int i = 0; i < kCount; ++i) want[i] = (start + static_cast<float>(i)) * 2.0f + 1.0f;
    return want;
  }
};

TEST_F(GlesSharing, BuffersOfContextsWithAndWithoutConfiguration) {
  app_.reset();
  for (const bool with_config : {true, false}) {
    SCOPED_TRACE(with_config);
    app_ = AppContext::Create(gl_, {.with_config = with_config});
    if (app_ == nullptr) continue;
    const GLuint in = app_->NewBuffer(conformance::Ramp(kCount, 1.0f, 5.0f));
    const GLuint out = app_->NewBuffer(std::vector<float>(kCount, -1.0f));
    const Doubling doubling = RecordDoubling(in, out);
    ASSERT_NE(doubling.commands, nullptr);
    EXPECT_EQ(doubling.src.bytes, 4 * kCount);
    const absl::Status ran = doubling.Run();
    ASSERT_TRUE(ran.ok()) << ran;
    EXPECT_EQ(app_->Floats(out, kCount), Doubled(5.0f));
    EXPECT_EQ(gl_.GetError(), static_cast<GLenum>(GL_NO_ERROR));
  }
}

// The buffers that the backend binds for its launches; only its thread uses them.
struct Bindings {
  decltype(&glBindBufferRange) range = nullptr;
  decltype(&glBindBufferBase) base = nullptr;
  std::map<GLuint, GLuint> bound;    // names by slot
  std::map<GLuint, int64_t> extent;  // how far launches reach, by name
} bindings;
void GL_APIENTRY KeptRange(GLenum target, GLuint slot, GLuint name, GLintptr offset,
                           GLsizeiptr size) {
  bindings.bound[slot] = name;
  bindings.extent[name] = std::max<int64_t>(bindings.extent[name], offset + size);
  bindings.range(target, slot, name, offset, size);
}
void GL_APIENTRY KeptBase(GLenum target, GLuint slot, GLuint name) {
  bindings.bound[slot] = name;
  bindings.base(target, slot, name);
}

TEST_F(GlesSharing, PlansRunOnBuffersOfTheApplication) {
  bindings = {};
  bindings.range = gl_.BindBufferRange;
  bindings.base = gl_.BindBufferBase;
  gl_.BindBufferRange = &KeptRange;
  gl_.BindBufferBase = &KeptBase;
  const std::shared_ptr<Device> device = Open();
  ASSERT_NE(device, nullptr);
  std::map<GLuint, int64_t> sizes;
  const auto import = [&](int64_t bytes) {
    const GLuint name = app_->NewBuffer(std::vector<float>(bytes / 4));
    sizes[name] = bytes;
    bindings.extent.erase(name);  // of a buffer that had the name before
    const auto range = device->Import(name);
    EXPECT_TRUE(range.ok()) << range.status();
    return range.value_or(BufferRange());
  };
  conformance::RunGivenMemory(device, import);
  conformance::RunGivenMemoryKeepsTheRest(device, import);
  // Nothing reaches beyond a buffer, and none is held after its run.
  for (const auto& [name, bytes] : sizes) {
    EXPECT_GT(bindings.extent[name], 0);
    EXPECT_LE(bindings.extent[name], bytes);
  }
  for (const auto& [slot, name] : bindings.bound) EXPECT_EQ(sizes.count(name), 0u) << slot;
  for (const auto& [name, bytes] : sizes) app_->DeleteBuffer(name);
}

// Launches see the results of commands that the application only queued, and their own results are
// there when the call returns; in both of its contexts.
TEST_F(GlesSharing, CommandsOfBothSidesKeepTheirOrder) {
  const GLuint in = app_->NewBuffer(std::vector<float>(kCount, 0.0f));
  const GLuint out = app_->NewBuffer(std::vector<float>(kCount, 0.0f));
  const Doubling doubling = RecordDoubling(in, out);
  ASSERT_NE(doubling.commands, nullptr);
  for (int round = 0; round < 5; ++round) {
    const float start = 100.0f * static_cast<float>(round + 1);
    app_->StartFill(in, kCount, start);
    const absl::Status ran = doubling.Run();
    ASSERT_TRUE(ran.ok()) << ran;
    EXPECT_EQ(app_->Floats(out, kCount), Doubled(start)) << round;
  }
  const auto second = AppContext::Create(gl_, {.share = app_->context()});
  ASSERT_NE(second, nullptr);
  second->StartFill(in, kCount, 7.0f);
  ASSERT_TRUE(doubling.Run().ok());
  EXPECT_EQ(second->Floats(out, kCount), Doubled(7.0f));
  // Copies come after the application's commands, too.
  second->StartFill(in, kCount, 9.0f);
  EXPECT_EQ(conformance::Floats(*doubling.device, doubling.src),
            conformance::Ramp(kCount, 1.0f, 9.0f));
  conformance::Fill(*doubling.device, doubling.src, 3.0f);
  EXPECT_EQ(second->Floats(in, kCount), std::vector<float>(kCount, 3.0f));
}

// Some drivers order contexts by themselves, so the calls are looked at, too.
struct CallLog {
  GlFunctions real;
  std::thread::id app;
  GLsync fence = nullptr;
  std::vector<std::string> calls;

  void Add(const char* call) {
    calls.push_back(StrCat(std::this_thread::get_id() == app ? "app: " : "worker: ", call));
  }
} call_log;
GLsync GL_APIENTRY LoggedFence(GLenum condition, GLbitfield flags) {
  call_log.Add("fence");
  const GLsync fence = call_log.real.FenceSync(condition, flags);
  if (std::this_thread::get_id() == call_log.app) call_log.fence = fence;
  return fence;
}
void GL_APIENTRY LoggedFlush() {
  call_log.Add("flush");
  call_log.real.Flush();
}
void GL_APIENTRY LoggedBarrier(GLbitfield bits) {
  if (bits == GL_ALL_BARRIER_BITS) call_log.Add("barrier of all kinds");
  call_log.real.MemoryBarrier(bits);
}
void GL_APIENTRY LoggedWait(GLsync fence, GLbitfield flags, GLuint64 time) {
  call_log.Add(fence == call_log.fence ? "wait for the app's fence" : "wait");
  call_log.real.WaitSync(fence, flags, time);
}
GLenum GL_APIENTRY LoggedClientWait(GLsync fence, GLbitfield flags, GLuint64 time) {
  call_log.Add("finish");
  return call_log.real.ClientWaitSync(fence, flags, time);
}
void GL_APIENTRY LoggedDispatch(GLuint x, GLuint y, GLuint z) {
  call_log.Add("dispatch");
  call_log.real.DispatchCompute(x, y, z);
}

TEST_F(GlesSharing, FencesStandBetweenTheContexts) {
  call_log = {gl_, std::this_thread::get_id(), nullptr, {}};
  gl_.FenceSync = &LoggedFence;
  gl_.Flush = &LoggedFlush;
  gl_.MemoryBarrier = &LoggedBarrier;
  gl_.WaitSync = &LoggedWait;
  gl_.ClientWaitSync = &LoggedClientWait;
  gl_.DispatchCompute = &LoggedDispatch;
  const GLuint in = app_->NewBuffer(std::vector<float>(kCount, 0.0f));
  const GLuint out = app_->NewBuffer(std::vector<float>(kCount, 0.0f));
  const Doubling doubling = RecordDoubling(in, out);
  ASSERT_NE(doubling.commands, nullptr);
  call_log.calls.clear();
  ASSERT_TRUE(doubling.Run().ok());
  EXPECT_EQ(call_log.calls,
            (std::vector<std::string>{"app: barrier of all kinds", "app: fence", "app: flush",
                                      "worker: wait for the app's fence", "worker: dispatch",
                                      "worker: barrier of all kinds", "worker: flush",
                                      "worker: fence", "worker: finish"}));
}

TEST_F(GlesSharing, TheApplicationsContextStaysAsItIs) {
  const GLuint in = app_->NewBuffer(std::vector<float>(kCount, 1.0f));
  const GLuint out = app_->NewBuffer(std::vector<float>(kCount, 0.0f));
  gl_.BindBuffer(GL_COPY_READ_BUFFER, in);
  gl_.BindBuffer(GL_COPY_WRITE_BUFFER, out);
  gl_.BindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, out, 256, 64);
  const std::string before = app_->State();
  // An error that the application has not asked for yet stays its own.
  gl_.BindBuffer(GL_TEXTURE_2D, in);
  {
    const Doubling doubling = RecordDoubling(in, out);
    ASSERT_NE(doubling.commands, nullptr);
    ASSERT_TRUE(doubling.Run().ok());
    EXPECT_FALSE(doubling.device->Import(4000).ok());
    EXPECT_EQ(conformance::Floats(*doubling.device, doubling.dst),
              std::vector<float>(kCount, 3.0f));
  }
  EXPECT_EQ(gl_.GetError(), static_cast<GLenum>(GL_INVALID_ENUM));
  EXPECT_EQ(gl_.GetError(), static_cast<GLenum>(GL_NO_ERROR));
  EXPECT_EQ(app_->State(), before);
  EXPECT_EQ(app_->Current(), app_->context());
}

TEST_F(GlesSharing, UnknownBuffersAreRefused) {
  const std::shared_ptr<Device> device = Open();
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->Import(0).status().message(), "there is no buffer 0");
  EXPECT_EQ(device->Import(77).status().message(), "there is no buffer 77");
  EXPECT_EQ(device->Import(uint64_t{1} << 32).status().message(), "there is no buffer 4294967296");
  GLuint reserved = 0;  // a name without a buffer
  gl_.GenBuffers(1, &reserved);
  EXPECT_FALSE(device->Import(reserved).ok());
  auto lonely = OpenGlesDevice(gl_);
  ASSERT_TRUE(lonely.ok()) << lonely.status();
  EXPECT_EQ((*lonely)->Import(1).status().message(),
            "the device shares no buffers with the application");
}

TEST_F(GlesSharing, BuffersThatGoOrShrinkAreErrors) {
  const GLuint in = app_->NewBuffer(conformance::Ramp(kCount, 1.0f, 0.0f));
  const GLuint out = app_->NewBuffer(std::vector<float>(kCount, 0.0f));
  const Doubling doubling = RecordDoubling(in, out);
  ASSERT_NE(doubling.commands, nullptr);
  app_->SetBuffer(in, {1.0f});
  EXPECT_EQ(doubling.Run().message(), StrCat("buffer ", in, " shrank from 1204 to 4 bytes"));
  app_->SetBuffer(in, conformance::Ramp(2 * kCount, 1.0f, 3.0f));
  const absl::Status grown = doubling.Run();
  ASSERT_TRUE(grown.ok()) << grown;
  EXPECT_EQ(app_->Floats(out, kCount), Doubled(3.0f));
  app_->DeleteBuffer(out);
  const std::string gone = StrCat("there is no buffer ", out);
  EXPECT_EQ(doubling.Run().message(), gone);
  char byte = 0;
  EXPECT_EQ(doubling.device->Upload(doubling.dst, &byte, 1).message(), gone);
  EXPECT_EQ(doubling.device->Download(doubling.dst, &byte, 1).message(), gone);
}

TEST_F(GlesSharing, WithoutASuitableContextNothingIsJoined) {
  const auto refusal = [&] {
    return std::string(OpenGlesDevice(gl_, {.share_current = true}).status().message());
  };
  app_->Leave();
  EXPECT_EQ(refusal(), "no EGL context is current on this thread");
  const auto old = AppContext::Create(gl_, {.major = 2, .minor = 0});
  if (old != nullptr && std::string(reinterpret_cast<const char*>(gl_.GetString(GL_VERSION)))
                                .rfind("OpenGL ES 2", 0) == 0) {
    EXPECT_NE(refusal().find("OpenGL ES 3.1 is needed"), std::string::npos) << refusal();
  }
  const auto desktop = AppContext::Create(gl_, {.api = EGL_OPENGL_API});
  if (desktop != nullptr) {
    EXPECT_NE(refusal().find("OpenGL ES 3.1 is needed"), std::string::npos) << refusal();
  }
  ASSERT_TRUE(gl_.egl.BindAPI(EGL_OPENGL_ES_API));
}

TEST_F(GlesSharing, OtherShareGroupsAreDistinguished) {
  const std::shared_ptr<Device> device = Open();
  ASSERT_NE(device, nullptr);
  const std::string refusal =
      "the context that is current on this thread shares no buffers with the device";
  const auto other = AppContext::Create(gl_);
  ASSERT_NE(other, nullptr);
  const GLuint name = other->NewBuffer({1.0f});
  EXPECT_EQ(device->Import(name).status().message(), refusal);
  other->Leave();
  EXPECT_EQ(device->Import(name).status().message(), refusal);
}

// Threads without a context of the group may run, and the application's context may go.
TEST_F(GlesSharing, TheContextMayBeElsewhereOrGone) {
  const GLuint in = app_->NewBuffer(conformance::Ramp(kCount, 1.0f, 4.0f));
  const GLuint out = app_->NewBuffer(std::vector<float>(kCount, 0.0f));
  const Doubling doubling = RecordDoubling(in, out);
  ASSERT_NE(doubling.commands, nullptr);
  std::thread([&] { EXPECT_TRUE(doubling.Run().ok()); }).join();
  EXPECT_EQ(app_->Floats(out, kCount), Doubled(4.0f));
  app_.reset();
  conformance::Fill(*doubling.device, doubling.src, 6.0f);
  ASSERT_TRUE(doubling.Run().ok());
  EXPECT_EQ(conformance::Floats(*doubling.device, doubling.dst), std::vector<float>(kCount, 13.0f));
}

std::atomic<int> fences = 0;
decltype(&glFenceSync) real_fence = nullptr;
decltype(&glDeleteSync) real_delete = nullptr;
GLsync GL_APIENTRY CountedFence(GLenum condition, GLbitfield flags) {
  ++fences;
  return real_fence(condition, flags);
}
void GL_APIENTRY CountedDelete(GLsync sync) {
  --fences;
  real_delete(sync);
}

TEST_F(GlesSharing, NothingIsLeft) {
  const int before = GlHandle::live();
  real_fence = gl_.FenceSync;
  real_delete = gl_.DeleteSync;
  gl_.FenceSync = &CountedFence;
  gl_.DeleteSync = &CountedDelete;
  fences = 0;
  const GLuint in = app_->NewBuffer(std::vector<float>(kCount, 1.0f));
  const GLuint out = app_->NewBuffer(std::vector<float>(kCount, 1.0f));
  {
    const Doubling doubling = RecordDoubling(in, out);
    ASSERT_NE(doubling.commands, nullptr);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(doubling.Run().ok());
    EXPECT_GT(GlHandle::live(), before);
    EXPECT_EQ(fences, 0);
  }
  EXPECT_EQ(GlHandle::live(), before);
  EXPECT_EQ(fences, 0);
  // The buffers are the application's.
  EXPECT_TRUE(gl_.IsBuffer(in));
  EXPECT_EQ(app_->Floats(out, kCount), std::vector<float>(kCount, 3.0f));
}

TEST_F(GlesSharing, ForkedChildrenCallNoDriver) {
  const GLuint in = app_->NewBuffer(std::vector<float>(kCount, 1.0f));
  const std::shared_ptr<Device> device = Open();
  ASSERT_NE(device, nullptr);
  const auto src = device->Import(in);
  ASSERT_TRUE(src.ok()) << src.status();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    char byte = 0;
    _exit(!device->Import(in).ok() && !device->Upload(*src, &byte, 1).ok() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// ---- drivers that refuse

decltype(&eglCreateContext) real_create = nullptr;
decltype(&eglGetError) real_error = nullptr;
std::atomic<bool> refused = false;
EGLContext EGLAPIENTRY CreateAlone(EGLDisplay display, EGLConfig config, EGLContext share,
                                   const EGLint* attributes) {
  if (share == EGL_NO_CONTEXT) return real_create(display, config, share, attributes);
  refused = true;
  return EGL_NO_CONTEXT;
}
EGLint EGLAPIENTRY RefusalError() { return refused.exchange(false) ? EGL_BAD_MATCH : real_error(); }

TEST_F(GlesSharing, ARefusalCarriesTheDriversReason) {
  real_create = gl_.egl.CreateContext;
  real_error = gl_.egl.GetError;
  gl_.egl.CreateContext = &CreateAlone;
  gl_.egl.GetError = &RefusalError;
  const int before = GlHandle::live();
  const auto device = OpenGlesDevice(gl_, {.share_current = true});
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(device.status().message(),
            "OpenGL ES: no context shares buffers with the application's (eglCreateContext of "
            "OpenGL ES 3.1: EGL_BAD_MATCH)");
  EXPECT_EQ(GlHandle::live(), before);
  EXPECT_EQ(app_->Current(), app_->context());
  EXPECT_TRUE(OpenGlesDevice(gl_).ok()) << "a device that shares nothing";
}

// Contexts that skip error checks share only among themselves.
TEST_F(GlesSharing, TheDriverItselfRefuses) {
  app_.reset();
  app_ = AppContext::Create(gl_, {.attributes = {EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE}});
  if (app_ == nullptr) GTEST_SKIP() << "no contexts without error checks here";
  const auto device = OpenGlesDevice(gl_, {.share_current = true});
  if (device.ok()) GTEST_SKIP() << "the driver shares with everything";
  EXPECT_TRUE(Contains(device.status(), "eglCreateContext of OpenGL ES 3.1: EGL_BAD_MATCH"))
      << device.status();
  EXPECT_EQ(app_->Current(), app_->context());
}

// Robust contexts, too, share only among themselves; the device follows.
TEST_F(GlesSharing, RobustContextsAreJoined) {
  app_.reset();
  app_ = AppContext::Create(gl_, {.attributes = {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                                                 EGL_LOSE_CONTEXT_ON_RESET_EXT}});
  if (app_ == nullptr) GTEST_SKIP() << "no robust contexts here";
  const std::shared_ptr<Device> device = Open();
  ASSERT_NE(device, nullptr);
  EXPECT_TRUE(device->Import(app_->NewBuffer({1.0f})).ok());
}

}  // namespace
}  // namespace tern::gpu
