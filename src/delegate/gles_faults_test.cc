// SPDX-License-Identifier: Apache-2.0
// A driver of OpenGL ES that fails somewhere below a delegate: each failure is a status with a
// reason, nothing is left behind, and the CPU's result can still be had.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "delegate/testing/delegate_test.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_device.h"
#include "gpu/backends/gles/testing/fixtures.h"

namespace tern::delegate {
namespace {

using gpu::GlFunctions;
using gpu::GlHandle;

// The faults of the driver; the backend's thread reads them.
struct Driver {
  GlFunctions real;
  std::atomic<int> countdown = -1;  // calls of the faulty function until it fails; < 0: never
  std::atomic<GLenum> error = GL_NO_ERROR;
  std::atomic<bool> lost = false;

  // True once, when the countdown ends.
  bool Fails() { return countdown >= 0 && countdown-- == 0; }
} driver;

GLenum GL_APIENTRY FailingGetError() {
  return driver.Fails() ? driver.error.load() : driver.real.GetError();
}
GLenum GL_APIENTRY LosingStatus() {
  if (driver.Fails()) driver.lost = true;
  return driver.lost ? GL_GUILTY_CONTEXT_RESET_EXT : GL_NO_ERROR;
}

class GlesFaults : public gpu::testing::DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    driver.real = gl_;
    driver.countdown = -1;
    driver.lost = false;
    live_ = GlHandle::live();
  }
  void TearDown() override { EXPECT_EQ(GlHandle::live(), live_); }

  // A device over the functions as they are now, with programs of its own.
  gpu::OpenedDevice Open() {
    auto device = gpu::OpenGlesDevice(gl_);
    EXPECT_TRUE(device.ok()) << device.status();
    return Opened(*device);
  }
  static Delegate Make(gpu::OpenedDevice opened) {
    DelegateOptions options = DefaultOptions();
    options.documented.max_delegated_partitions = 2;
    return DelegateOver(options, std::move(opened));
  }
  static Delegate Make(EngineChoice::Opener opener) {
    DelegateOptions options = DefaultOptions();
    options.backend = "gles";
    return DelegateOver(options, std::move(opener));
  }
  static void CheckNear(const std::vector<float>& got, const std::vector<uint8_t>& model) {
    EXPECT_THAT(got, CloseTo(CpuResult(model)));
  }

  int live_ = 0;
};

TEST_F(GlesFaults, MissingLibrariesAndFunctionsLeaveTheGraphToTheCpu) {
  const absl::Status failures[] = {
      gpu::LoadGlFunctions({"libno_such_egl.so.7"}, gpu::GlesLibraryNames()).status(),
      gpu::LoadGlFunctions(gpu::EglLibraryNames(), {"libno_such_gles.so"}).status(),
      gpu::LoadGlFunctions(gpu::EglLibraryNames(), {"libm.so.6"}).status()};
  for (const absl::Status& failure : failures) {
    ASSERT_FALSE(failure.ok());
    const Delegate delegate =
        Make([&](const std::string&) -> absl::StatusOr<gpu::OpenedDevice> { return failure; });
    Session session(ThreeOpModel());
    EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteDelegateError);
    EXPECT_THAT(session.errors.text,
                HasSubstr("TfLiteGpuDelegate Init: " + std::string(Message(failure))));
    EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel()));
  }
}

// Every question for an error is answered with one, one after the other.
TEST_F(GlesFaults, EachGlErrorIsAStatusAndTheNextRunWorks) {
  gl_.GetError = &FailingGetError;
  for (const GLenum error : {GL_OUT_OF_MEMORY, GL_INVALID_OPERATION}) {
    driver.error = error;
    const gpu::OpenedDevice opened = Open();
    const char* const name =
        error == GL_OUT_OF_MEMORY ? "GL_OUT_OF_MEMORY" : "GL_INVALID_OPERATION";
    int at_modify = 0, at_invoke = 0;
    for (int n = 0;; ++n) {
      SCOPED_TRACE(n);
      ASSERT_LT(n, 1000);
      const int live = GlHandle::live();
      {
        // Programs are built again each time.
        const Delegate delegate =
            Make({opened.device, std::make_shared<gpu::ProgramCache>(opened.device.get())});
        Session session(SplitModel());
        driver.countdown = n;
        ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
        const bool modified = driver.countdown < 0;
        if (modified) {
          ++at_modify;
          EXPECT_LT(ReportOf(delegate)["delegated"], 3);
          EXPECT_THAT(session.errors.text, HasSubstr(name));
        }
        const std::vector<float> first = session.Run();
        const bool invoked = !modified && driver.countdown < 0;
        if (invoked) {
          ++at_invoke;
          EXPECT_THAT(first, IsEmpty());
          EXPECT_THAT(session.errors.text, HasSubstr("TfLiteGpuDelegate Invoke: "));
          EXPECT_THAT(session.errors.text, HasSubstr(name));
        } else {
          CheckNear(first, SplitModel());
        }
        const bool over = driver.countdown >= 0;
        driver.countdown = -1;
        CheckNear(session.Run(), SplitModel());
        if (over) break;
      }
      EXPECT_EQ(GlHandle::live(), live);
    }
    EXPECT_GT(at_modify, 5);
    EXPECT_GT(at_invoke, 5);
  }
}

// The driver loses the context at every point where it is asked; it stays lost.
TEST_F(GlesFaults, ALostContextIsAStatusAndTheCpuGoesOn) {
  gl_.GetGraphicsResetStatus = &LosingStatus;
  int at_modify = 0, at_invoke = 0;
  for (int n = 0;; ++n) {
    SCOPED_TRACE(n);
    ASSERT_LT(n, 1000);
    driver.lost = false;
    {
      const Delegate delegate = Make(Open());
      Session session(SplitModel());
      driver.countdown = n;
      ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
      const char* const reason = "OpenGL ES: the context is lost (GL_GUILTY_CONTEXT_RESET_EXT)";
      if (driver.lost) {
        ++at_modify;
        EXPECT_THAT(session.errors.text, HasSubstr(reason));
        EXPECT_EQ(ReportOf(delegate)["delegated"], 0);
        EXPECT_EQ(session.Run(), CpuResult(SplitModel()));
      } else {
        const std::vector<float> first = session.Run();
        if (!driver.lost) {
          CheckNear(first, SplitModel());
          if (n == 0) GTEST_SKIP() << "the driver has no robust contexts";
          break;
        }
        ++at_invoke;
        for (int again = 0; again < 2; ++again) {
          EXPECT_THAT(session.errors.text, HasSubstr("TfLiteGpuDelegate Invoke: "));
          EXPECT_THAT(session.errors.text, HasSubstr(reason));
          session.errors.text.clear();
          EXPECT_THAT(session.Run(), IsEmpty());
        }
        EXPECT_EQ(session->RemoveAllDelegates(), kTfLiteOk);
        EXPECT_EQ(session.Run(), CpuResult(SplitModel()));
      }
    }
    EXPECT_EQ(GlHandle::live(), live_);
  }
  EXPECT_GT(at_modify, 5);
  EXPECT_GT(at_invoke, 5);
  driver.countdown = -1;
}

TEST_F(GlesFaults, AfterALossANewContextIsOpened) {
  gl_.GetGraphicsResetStatus = &LosingStatus;
  {
    gpu::OpenedDevices devices;
    const Delegate delegate = Make([&](const std::string& name) {
      return devices.Get(name, [&](const std::string&) { return gpu::OpenGlesDevice(gl_); });
    });
    Session session(ThreeOpModel());
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    CheckNear(session.Run(), ThreeOpModel());
    driver.countdown = 0;
    if (!session.Run().empty()) GTEST_SKIP() << "the driver has no robust contexts";
    driver.lost = false;
    EXPECT_THAT(session.Run(), IsEmpty()) << "what is lost stays lost";
    const std::vector<int> shape = {1, 2, 2, 3};
    ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], shape), kTfLiteOk);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
    EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel(), shape)));
  }
  EXPECT_EQ(GlHandle::live(), live_);
}

// A real compiler and linker say what they do not like about some programs.
std::string broken_text;  // instead of programs with exp(
void GL_APIENTRY BreakingSource(GLuint shader, GLsizei count, const GLchar* const* texts,
                                const GLint* lengths) {
  const std::string text(texts[0], static_cast<size_t>(lengths[0]));
  if (text.find("exp(") == std::string::npos) {
    driver.real.ShaderSource(shader, count, texts, lengths);
    return;
  }
  const char* broken = broken_text.c_str();
  driver.real.ShaderSource(shader, 1, &broken, nullptr);
}

TEST_F(GlesFaults, RejectedProgramsLeaveTheirNodesToTheCpu) {
  gl_.ShaderSource = &BreakingSource;
  const std::pair<const char*, const char*> cases[] = {
      {"#version 310 es\nlayout(local_size_x = 8) in;\nvoid main() { no_such_function(); }\n",
       "glCompileShader: "},
      {"#version 310 es\nlayout(local_size_x = 8) in;\nvoid f();\nvoid main() { f(); }\n",
       "glLinkProgram: "}};
  for (const auto& [text, step] : cases) {
    broken_text = text;
    const Delegate delegate = Make(Open());
    Session session(SplitModel());
    ::testing::internal::CaptureStderr();
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    const std::string reported = ::testing::internal::GetCapturedStderr() + session.errors.text;
    // The step, and what the driver's log calls the thing that is missing.
    EXPECT_THAT(reported, HasSubstr(step));
    EXPECT_THAT(reported,
                HasSubstr(step == std::string("glCompileShader: ") ? "no_such_function" : "f"));
    EXPECT_THAT(reported, ::testing::Not(HasSubstr("no log")));
    // One of the two parts, or the half of one, is the CPU's.
    EXPECT_GE(ReportOf(delegate)["delegated"], 1);
    EXPECT_LT(ReportOf(delegate)["delegated"], 3);
    CheckNear(session.Run(), SplitModel());
  }
}

void GL_APIENTRY NoMemory(GLenum, GLsizeiptr, const void*, GLenum) { driver.countdown = 0; }

TEST_F(GlesFaults, WithoutMemoryTheGraphStaysOnTheCpu) {
  driver.error = GL_OUT_OF_MEMORY;
  gl_.GetError = &FailingGetError;
  gl_.BufferData = &NoMemory;
  const Delegate delegate = Make(Open());
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["delegated"], 0);
  EXPECT_THAT(session.errors.text, HasSubstr("glBufferData of "));
  EXPECT_THAT(session.errors.text, HasSubstr(" bytes: GL_OUT_OF_MEMORY"));
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel()));
}

}  // namespace
}  // namespace tern::delegate
