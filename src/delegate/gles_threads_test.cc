// SPDX-License-Identifier: Apache-2.0
// Eight threads with interpreters that run on OpenGL ES, with delegates of their own and with one
// for all. ThreadSanitizer runs this, too.
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "delegate/testing/delegate_test.h"
#include "gpu/backends/gles/testing/app_context.h"

namespace tern::delegate {
namespace {

using gpu::testing::AppContext;

constexpr int kThreads = 8;
constexpr int kRounds = 4;

Delegate GlesDelegate() {
  TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
  options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY;
  return Delegate(TfLiteGpuDelegateV2Create(&options), TfLiteGpuDelegateV2Delete);
}

class GlesDelegateThreads : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto device = gpu::OpenDevice("gles");
    if (!device.ok()) GTEST_SKIP() << "OpenGL ES device: " << device.status();
    gl_ = gpu::LoadGlFunctions(gpu::EglLibraryNames(), gpu::GlesLibraryNames()).value();
    for (int round = 0; round <= kRounds; ++round)
      expected_[Shape(round)] = CpuResult(ThreeOpModel(), Shape(round));
  }

  static std::vector<int> Shape(int round) { return {1, 4 + round, 4, 8}; }

  // Builds an interpreter, resizes and runs it, and ends it.
  void LiveOnce(TfLiteDelegate* delegate, int start) {
    Session session(ThreeOpModel(Shape(start)));
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate), kTfLiteOk) << session.errors.text;
    ASSERT_EQ(session->execution_plan().size(), 1u);
    for (int step = 0; step < 3; ++step) {
      const std::vector<int> shape = Shape((start + step) % (kRounds + 1));
      if (step > 0) {
        ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], shape), kTfLiteOk);
        ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
      }
      for (int run = 0; run < 2; ++run) ASSERT_THAT(session.Run(), CloseTo(expected_.at(shape)));
    }
  }

  template <typename Task>
  static void InThreads(Task task) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) threads.emplace_back(task, t);
    for (std::thread& thread : threads) thread.join();
  }

  gpu::GlFunctions gl_;
  std::map<std::vector<int>, std::vector<float>> expected_;
};

TEST_F(GlesDelegateThreads, HaveDelegatesOfTheirOwn) {
  InThreads([&](int t) {
    for (int round = 0; round < kRounds; ++round) {
      const Delegate delegate = GlesDelegate();
      LiveOnce(delegate.get(), (t + round) % kRounds);
    }
  });
}

TEST_F(GlesDelegateThreads, ShareADelegate) {
  const Delegate delegate = GlesDelegate();
  InThreads([&](int t) {
    for (int round = 0; round < kRounds; ++round) LiveOnce(delegate.get(), (t + round) % kRounds);
  });
}

// Half of them with a context of their own current.
TEST_F(GlesDelegateThreads, WithAndWithoutContexts) {
  const Delegate delegate = GlesDelegate();
  InThreads([&](int t) {
    std::unique_ptr<AppContext> app;
    if (t % 2 == 0) {
      app = AppContext::Create(gl_);
      ASSERT_NE(app, nullptr);
    }
    const std::string state = app == nullptr ? "" : app->State();
    for (int round = 0; round < kRounds; ++round) LiveOnce(delegate.get(), (t + round) % kRounds);
    if (app != nullptr) {
      EXPECT_EQ(app->State(), state);
    }
  });
}

// Interpreters go from thread to thread: made here, run there, ended elsewhere.
TEST_F(GlesDelegateThreads, HandInterpretersOn) {
  const Delegate delegate = GlesDelegate();
  std::vector<std::optional<Session>> sessions(kThreads);
  InThreads([&](int t) {
    sessions[t].emplace(ThreeOpModel(Shape(0)));
    ASSERT_EQ((*sessions[t])->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  });
  for (int step = 1; step < kThreads; ++step) {
    InThreads([&](int t) {
      Session& session = *sessions[(t + step) % kThreads];
      ASSERT_EQ(session->execution_plan().size(), 1u);
      ASSERT_THAT(session.Run(), CloseTo(expected_.at(Shape(0))));
    });
  }
  InThreads([&](int t) { sessions[kThreads - 1 - t].reset(); });
}

}  // namespace
}  // namespace tern::delegate
