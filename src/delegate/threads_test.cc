// SPDX-License-Identifier: Apache-2.0
// Two threads that run an interpreter each, with a delegate each and with one for both, many times
// with other numbers, on each engine.
#include <algorithm>
#include <cmath>
#include <thread>

#include "delegate/testing/delegate_test.h"

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

}  // namespace
}  // namespace tern::delegate
