// SPDX-License-Identifier: Apache-2.0
// Two threads that run an interpreter each, with a delegate each and with one for both, many times
// with other numbers, on each engine. The threads of a start.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "delegate/testing/delegate_test.h"
#include "delegate/testing/idle_device.h"

namespace tern::delegate {
namespace {

constexpr int kRuns = 50;

float NumberOf(int thread, int run, size_t element) {
  return 0.125f * static_cast<float>((static_cast<int>(element) * 5 + run * 7 + thread) % 31 - 15);
}

// Both parts of the model are on the GPU, a node of the CPU is between them.
void RunOften(TfLiteDelegate* delegate, int thread, const char* engine) {
  SCOPED_TRACE(engine);
  Session session(SplitModel({1, 4 + thread, 4, 8}));
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate), kTfLiteOk) << session.errors.text;
  ASSERT_THAT(session->execution_plan(), SizeIs(3));
  const TfLiteTensor* const in = session->input_tensor(0);
  const TfLiteTensor* const out = session->output_tensor(0);
  const size_t count = in->bytes / sizeof(float);
  std::vector<float> expected(count);
  for (int run = 0; run < kRuns; ++run) {
    for (size_t i = 0; i < count; ++i) {
      const float x = in->data.f[i] = NumberOf(thread, run, i);
      expected[i] = 1 / (1 + std::exp(-std::max(x, 0.0f) - 1));
    }
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
    ASSERT_THAT(std::vector<float>(out->data.f, out->data.f + count), CloseTo(expected)) << run;
  }
}

TEST(Threads, RunInterpretersOnOneDevice) {
  DelegateOptions options = DefaultOptions();
  options.documented.max_delegated_partitions = 2;
  for (const char* engine : {"host", "opencl", "gles", "vulkan", "metal"}) {
    if (!gpu::OpenDevice(engine).ok()) continue;
    const auto make = [&] { return DelegateOver(options, *gpu::OpenDevice(engine)); };
    const Delegate first = make(), second = make();
    for (const Delegate* other : {&second, &first}) {
      std::thread thread([&] { RunOften(other->get(), 1, engine); });
      RunOften(first.get(), 0, engine);
      thread.join();
    }
  }
}

// A driver whose compiler waits until memory is asked for.
class PatientDriver : public testing::IdleDevice {
 public:
  PatientDriver() : IdleDevice("mali") {}

  absl::StatusOr<std::shared_ptr<gpu::Buffer>> CreateBuffer(int64_t bytes) override {
    {
      const std::lock_guard lock(mutex_);
      asked_ = true;
    }
    memory_.notify_all();
    return IdleDevice::CreateBuffer(bytes);
  }
  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Compile(const gpu::ProgramSource& of) override {
    std::unique_lock lock(mutex_);
    if (!memory_.wait_for(lock, std::chrono::seconds(20), [&] { return asked_; }))
      return Unavailable("nobody asks for memory while a program is built");
    return IdleDevice::Compile(of);
  }

 private:
  std::mutex mutex_;
  std::condition_variable memory_;
  bool asked_ = false;
};

TEST(Threads, MemoryIsFilledWhileTheDriverCompiles) {
  const Delegate delegate =
      DelegateOver(DefaultOptions(), gpu::Opened(std::make_shared<PatientDriver>()));
  Session session(SplitModel({1, 4, 4, 8}));
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(session->execution_plan(), SizeIs(3)) << session.errors.text;
}

}  // namespace
}  // namespace tern::delegate
