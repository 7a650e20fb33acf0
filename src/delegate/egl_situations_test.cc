// SPDX-License-Identifier: Apache-2.0
// Contexts, displays and threads of an application around a delegate that runs on OpenGL ES. Each
// situation has a process of its own, so that the driver is opened in it, and the CPU's result.
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "delegate/testing/delegate_test.h"
#include "delegate/testing/fresh_process.h"
#include "gpu/backends/gles/testing/app_context.h"
#include "gpu/backends/gles/testing/gl_state.h"
#include "gpu/backends/gles/testing/unusual_state.h"

namespace tern::delegate {
namespace {

using gpu::GlFunctions;
using gpu::testing::AppContext;
using gpu::testing::AppFunctions;
using gpu::testing::Differences;
using gpu::testing::GlState;
using gpu::testing::ReadEglState;
using gpu::testing::StateReader;
using testing::InFreshProcess;
using testing::IsFreshProcess;

// A test whose body runs in a new process, on machines with OpenGL ES.
#define TERN_SITUATION(name)                                \
  void name();                                              \
  TEST(EglSituations, name) {                               \
    if (!IsFreshProcess() && !gpu::OpenDevice("gles").ok()) \
      GTEST_SKIP() << gpu::OpenDevice("gles").status();     \
    InFreshProcess(name);                                   \
  }                                                         \
  void name()

Delegate GlDelegate() {
  TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
  options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY;
  return Delegate(TfLiteGpuDelegateV2Create(&options), TfLiteGpuDelegateV2Delete);
}

void Modify(Session& session, const Delegate& delegate) {
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  ASSERT_EQ(session->execution_plan().size(), 1u);
  EXPECT_EQ(ReportOf(delegate)["engine"], "gles");
}

// With the first input in this shape.
void CheckRun(Session& session, const std::vector<int>& shape = {1, 4, 4, 8}) {
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel(), shape))) << session.errors.text;
}

void Resize(Session& session, const std::vector<int>& shape) {
  ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], shape), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
  ASSERT_EQ(session->execution_plan().size(), 1u) << "still the delegate's";
}

void OnAnotherThread(const std::function<void()>& task) { std::thread(task).join(); }

// The application's own way to the driver.
const GlFunctions& Gl() {
  static const GlFunctions* const functions = new GlFunctions(
      gpu::LoadGlFunctions(gpu::EglLibraryNames(), gpu::GlesLibraryNames()).value());
  return *functions;
}

// Runs the task while the application looks at its context.
void Untouched(const std::function<void()>& task) {
  const GlState before = StateReader(Gl()).Read();
  task();
  EXPECT_EQ(Differences(before, StateReader(Gl()).Read()), "");
  EXPECT_EQ(Gl().GetError(), static_cast<GLenum>(GL_NO_ERROR));
}
void UntouchedEgl(const std::function<void()>& task) {
  const GlState before = ReadEglState(Gl());
  task();
  EXPECT_EQ(Differences(before, ReadEglState(Gl())), "");
}

TERN_SITUATION(NoContextAnywhere) {
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Modify(session, delegate);
  CheckRun(session);
  Resize(session, {1, 2, 3, 5});
  CheckRun(session, {1, 2, 3, 5});
  EXPECT_EQ(Gl().egl.GetCurrentContext(), EGL_NO_CONTEXT);
}

// A context of the application is current during some of the calls, in all combinations.
TERN_SITUATION(AForeignContextIsCurrentAtSomeCalls) {
  for (int mask = 0; mask < 32; ++mask) {
    SCOPED_TRACE(mask);
    const auto app = AppContext::Create(Gl());
    ASSERT_NE(app, nullptr);
    gpu::testing::MakeUnusual(Gl(), 0);
    app->Leave();
    int call = 0;
    const auto next = [&](const std::function<void()>& task) {
      const bool current = (mask >> call++ & 1) != 0;
      if (!current) return UntouchedEgl(task);
      ASSERT_TRUE(app->Enter());
      Untouched(task);
      app->Leave();
    };
    std::optional<Delegate> delegate;
    std::optional<Session> session(ThreeOpModel());
    next([&] { delegate.emplace(GlDelegate()); });
    next([&] { Modify(*session, *delegate); });
    next([&] { CheckRun(*session); });
    next([&] {
      Resize(*session, {1, 3, 3, 4});
      CheckRun(*session, {1, 3, 3, 4});
    });
    next([&] {
      session.reset();
      delegate.reset();
    });
  }
}

TERN_SITUATION(AnotherContextIsCurrentAtInvoke) {
  const auto first = AppContext::Create(Gl());
  ASSERT_NE(first, nullptr);
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Untouched([&] { Modify(session, delegate); });
  Untouched([&] { CheckRun(session); });
  const auto second = AppContext::Create(Gl());
  ASSERT_NE(second, nullptr);
  Untouched([&] { CheckRun(session); });
  EXPECT_EQ(second->Current(), second->context());
  ASSERT_TRUE(first->Enter());
  Untouched([&] { CheckRun(session); });
}

TERN_SITUATION(InvokeOnAnotherThreadWithoutAContext) {
  const auto app = AppContext::Create(Gl());
  ASSERT_NE(app, nullptr);
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Modify(session, delegate);
  OnAnotherThread([&] {
    CheckRun(session);
    EXPECT_EQ(Gl().egl.GetCurrentContext(), EGL_NO_CONTEXT);
  });
  Untouched([&] { CheckRun(session); });
}

TERN_SITUATION(InvokeOnAnotherThreadWithAContext) {
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Modify(session, delegate);
  OnAnotherThread([&] {
    const auto app = AppContext::Create(Gl());
    ASSERT_NE(app, nullptr);
    gpu::testing::MakeUnusual(Gl(), 0);
    Untouched([&] { CheckRun(session); });
  });
  CheckRun(session);
}

TERN_SITUATION(AContextThatSharesObjectsIsCurrentOnAnotherThread) {
  const auto app = AppContext::Create(Gl());
  ASSERT_NE(app, nullptr);
  const std::vector<float> values = {1.0f, 2.0f, 3.0f, 4.0f};
  const GLuint buffer = app->NewBuffer(values);
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Modify(session, delegate);
  OnAnotherThread([&] {
    const auto second = AppContext::Create(Gl(), {.share = app->context()});
    ASSERT_NE(second, nullptr);
    Untouched([&] { CheckRun(session); });
    EXPECT_EQ(second->Floats(buffer, values.size()), values);
  });
  Untouched([&] { CheckRun(session); });
  EXPECT_EQ(app->Floats(buffer, values.size()), values);
}

TERN_SITUATION(TheContextIsDestroyedBetweenModifyAndInvoke) {
  auto app = AppContext::Create(Gl());
  ASSERT_NE(app, nullptr);
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Modify(session, delegate);
  app.reset();
  CheckRun(session);
  // So is the thread on which it was current.
  Session second(ThreeOpModel());
  OnAnotherThread([&] {
    const auto gone = AppContext::Create(Gl());
    Modify(second, delegate);
  });
  CheckRun(second);
  Resize(second, {1, 1, 1, 3});
  CheckRun(second, {1, 1, 1, 3});
}

TERN_SITUATION(TheDelegateIsDeletedOnAnotherThread) {
  const auto app = AppContext::Create(Gl());
  ASSERT_NE(app, nullptr);
  for (const bool first_the_interpreter : {true, false}) {
    std::optional<Delegate> delegate(GlDelegate());
    std::optional<Session> session(ThreeOpModel());
    Modify(*session, *delegate);
    CheckRun(*session);
    if (first_the_interpreter) session.reset();
    Untouched([&] { OnAnotherThread([&] { delegate.reset(); }); });
    // An interpreter that is still there goes on.
    if (session) Untouched([&] { CheckRun(*session); });
  }
}

TERN_SITUATION(TheInterpreterIsDestroyedOnAnotherThread) {
  const auto app = AppContext::Create(Gl());
  ASSERT_NE(app, nullptr);
  const Delegate delegate = GlDelegate();
  for (int round = 0; round < 3; ++round) {
    std::optional<Session> session(ThreeOpModel());
    Modify(*session, delegate);
    CheckRun(*session);
    Untouched([&] {
      OnAnotherThread([&] {
        std::unique_ptr<AppContext> own;
        if (round == 1) own = AppContext::Create(Gl());
        session.reset();
      });
    });
  }
}

// Allocating after a resize compiles the graph again.
TERN_SITUATION(TensorsAreAllocatedAgainOnAnotherThread) {
  const auto app = AppContext::Create(Gl());
  ASSERT_NE(app, nullptr);
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Modify(session, delegate);
  CheckRun(session);
  OnAnotherThread([&] { Resize(session, {2, 3, 4, 5}); });
  Untouched([&] { CheckRun(session, {2, 3, 4, 5}); });
  OnAnotherThread([&] {
    const auto second = AppContext::Create(Gl());
    ASSERT_NE(second, nullptr);
    Untouched([&] { Resize(session, {1, 7, 1, 6}); });
  });
  OnAnotherThread([&] { CheckRun(session, {1, 7, 1, 6}); });
}

TERN_SITUATION(TwoInterpretersOnTwoThreadsShareADelegate) {
  const Delegate delegate = GlDelegate();
  std::vector<std::thread> threads;
  for (const bool with_context : {false, true}) {
    threads.emplace_back([&delegate, with_context] {
      std::unique_ptr<AppContext> app;
      if (with_context) app = AppContext::Create(Gl());
      Session session(ThreeOpModel());
      Modify(session, delegate);
      for (int i = 1; i <= 10; ++i) {
        CheckRun(session, {1, i == 1 ? 4 : i, 4, 8});
        if (i < 10) Resize(session, {1, i + 1, 4, 8});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Desktop OpenGL is bound on the application's thread, with and without a context of it.
TERN_SITUATION(AnotherApiIsBound) {
  const AppFunctions functions(Gl());
  for (const bool with_context : {false, true}) {
    if (!Gl().egl.BindAPI(EGL_OPENGL_API)) return;  // EGL without desktop OpenGL
    std::unique_ptr<AppContext> app;
    if (with_context) app = AppContext::Create(Gl(), {.api = EGL_OPENGL_API});
    ASSERT_EQ(functions.eglQueryAPI(), static_cast<EGLenum>(EGL_OPENGL_API));
    const std::string state = app == nullptr ? "" : app->State();
    UntouchedEgl([&] {
      const Delegate delegate = GlDelegate();
      Session session(ThreeOpModel());
      Modify(session, delegate);
      CheckRun(session);
      OnAnotherThread([&] {
        ASSERT_TRUE(Gl().egl.BindAPI(EGL_OPENGL_API));
        CheckRun(session);
        EXPECT_EQ(functions.eglQueryAPI(), static_cast<EGLenum>(EGL_OPENGL_API));
      });
    });
    EXPECT_EQ(functions.eglQueryAPI(), static_cast<EGLenum>(EGL_OPENGL_API));
    if (app != nullptr) {
      EXPECT_EQ(app->State(), state);
    }
  }
}

// The displays that an application may have in common with the backend.
void TerminateDisplays() {
  std::vector<EGLDisplay> displays = {Gl().egl.GetDisplay(EGL_DEFAULT_DISPLAY)};
  if (Gl().egl.GetPlatformDisplay != nullptr) {
    displays.push_back(
        Gl().egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  }
  for (const EGLDisplay display : displays) {
    if (display == EGL_NO_DISPLAY) continue;
    Gl().egl.Initialize(display, nullptr, nullptr);
    EXPECT_TRUE(AppFunctions(Gl()).eglTerminate(display));
  }
}

TERN_SITUATION(TheDisplayIsTerminated) {
  std::optional<Delegate> delegate(GlDelegate());
  TerminateDisplays();
  std::optional<Session> session(ThreeOpModel());
  Modify(*session, *delegate);
  TerminateDisplays();
  CheckRun(*session);
  Resize(*session, {1, 2, 2, 2});
  CheckRun(*session, {1, 2, 2, 2});
  // The application starts again.
  {
    const auto app = AppContext::Create(Gl());
    ASSERT_NE(app, nullptr);
    Untouched([&] { CheckRun(*session, {1, 2, 2, 2}); });
    TerminateDisplays();
    CheckRun(*session, {1, 2, 2, 2});
  }
  session.reset();
  delegate.reset();
  const Delegate second = GlDelegate();
  Session again(ThreeOpModel());
  Modify(again, second);
  CheckRun(again);
}

// The application leaves EGL on its thread as a library may that cleans up.
TERN_SITUATION(TheThreadIsReleased) {
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Modify(session, delegate);
  EXPECT_TRUE(Gl().egl.ReleaseThread());
  CheckRun(session);
  Resize(session, {1, 2, 2, 2});
  EXPECT_TRUE(Gl().egl.ReleaseThread());
  CheckRun(session, {1, 2, 2, 2});
}

TERN_SITUATION(NoWindowSystemIsNamed) {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "EGL_PLATFORM"})
    unsetenv(name);
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Modify(session, delegate);
  CheckRun(session);
}

TERN_SITUATION(TheWindowSystemDoesNotAnswer) {
  setenv("DISPLAY", "no.such.host.invalid:77", 1);
  setenv("WAYLAND_DISPLAY", "/no/such/socket", 1);
  const Delegate delegate = GlDelegate();
  Session session(ThreeOpModel());
  Modify(session, delegate);
  CheckRun(session);
}

// ---- drivers that are missing or too old

void CheckRefusal(const std::string& reason) {
  Session session(ThreeOpModel());
  const Delegate delegate = GlDelegate();
  EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteDelegateError);
  EXPECT_TRUE(session.errors.Has("TfLiteGpuDelegate Init: OpenGL ES: ")) << session.errors.text;
  EXPECT_TRUE(session.errors.Has(reason)) << session.errors.text;
  EXPECT_EQ(session->execution_plan().size(), 3u);
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel()));
  // The plug-in entry finds out at once.
  EXPECT_EQ(testing::PluginDelegate({{"tern_backend", "gles"}}), nullptr);
  EXPECT_NE(testing::PluginError().find(reason), std::string::npos) << testing::PluginError();
}

TERN_SITUATION(NoDriverLeavesTheGraphToTheCpu) {
  setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/no/such/file.json", 1);
  setenv("LIBGL_DRIVERS_PATH", "/no/such/folder", 1);
  setenv("GBM_BACKENDS_PATH", "/no/such/folder", 1);
  // Drivers that take no notice are let pass.
  if (gpu::OpenDevice("gles").ok()) return;
  CheckRefusal("no display gives a context (");
}

TERN_SITUATION(AnOldDriverLeavesTheGraphToTheCpu) {
  setenv("MESA_GLES_VERSION_OVERRIDE", "3.0", 1);
  if (gpu::OpenDevice("gles").ok()) return;
  CheckRefusal("it has OpenGL ES 3.0");
}

}  // namespace
}  // namespace tern::delegate
