// SPDX-License-Identifier: Apache-2.0
// Two interpreters with a delegate each on one OpenCL device: while the launches of one are held
// back, the other one runs from its first launch to its results.
#include <atomic>
#include <chrono>
#include <future>

#include "base/shared_library.h"
#include "base/status.h"
#include "delegate/testing/delegate_test.h"
#include "gpu/backends/opencl/cl_device.h"
#include "gpu/backends/opencl/cl_library.h"

namespace tern::delegate {
namespace {

// Holds back the launches of the queue that launches first, until an event of the test.
struct Gate {
  static cl_int CL_API_CALL Launch(cl_command_queue queue, cl_kernel kernel, cl_uint axes,
                                   const size_t* offset, const size_t* global, const size_t* local,
                                   cl_uint, const cl_event*, cl_event* done) {
    cl_command_queue none = nullptr;
    const bool is_held = held.compare_exchange_strong(none, queue) || none == queue;
    if (none == nullptr) {
      cl_context context = nullptr;
      cl.GetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(context), &context, nullptr);
      event = create(context, nullptr);
    }
    const cl_int code = cl.EnqueueNDRangeKernel(queue, kernel, axes, offset, global, local,
                                                is_held ? 1 : 0, is_held ? &event : nullptr, done);
    ++(is_held ? held_launches : other_launches);
    return code;
  }

  static inline gpu::ClFunctions cl;
  static inline decltype(&clCreateUserEvent) create = nullptr;
  static inline cl_event event = nullptr;
  static inline std::atomic<cl_command_queue> held = nullptr;
  static inline std::atomic<int> held_launches = 0, other_launches = 0;
};

TEST(OpenClQueues, InterpretersOverlap) {
  if (!gpu::OpenDevice("opencl").ok()) GTEST_SKIP() << "no OpenCL device here";
  absl::StatusOr<SharedLibrary> library = Unavailable("no name");
  for (const std::string& name : gpu::ClLibraryNames()) {
    if (!library.ok()) library = SharedLibrary::Open(name);
  }
  ASSERT_TRUE(library.ok()) << library.status();
  decltype(&clSetUserEventStatus) set = nullptr;
  ASSERT_TRUE(library->Load("clCreateUserEvent", &Gate::create));
  ASSERT_TRUE(library->Load("clSetUserEventStatus", &set));
  gpu::ClFunctions functions = Gate::cl = *gpu::LoadClFunctions(gpu::ClLibraryNames());
  functions.EnqueueNDRangeKernel = &Gate::Launch;
  const auto device = gpu::OpenClDevice(functions, "");
  ASSERT_TRUE(device.ok()) << device.status();

  DelegateOptions options = DefaultOptions();
  options.documented.max_delegated_partitions = 2;
  const Delegate delegates[] = {DelegateOver(options, Opened(*device)),
                                DelegateOver(options, Opened(*device))};
  Session sessions[] = {Session(SplitModel()), Session(SplitModel())};
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(sessions[i]->ModifyGraphWithDelegate(delegates[i].get()), kTfLiteOk);
    ASSERT_EQ(ReportOf(delegates[i])["delegated"], 3);
  }
  const auto start = [&](int i) {
    return std::async(std::launch::async, [&sessions, i] { return sessions[i].Run(); });
  };
  const auto is_done = [](const std::future<std::vector<float>>& run, std::chrono::seconds limit) {
    return run.wait_for(limit) == std::future_status::ready;
  };
  std::future<std::vector<float>> held = start(0);
  while (Gate::held_launches == 0) std::this_thread::yield();
  std::future<std::vector<float>> other = start(1);
  EXPECT_TRUE(is_done(other, std::chrono::seconds(60))) << "waits for another interpreter";
  EXPECT_FALSE(is_done(held, std::chrono::seconds(0)));
  EXPECT_GT(Gate::other_launches, 0);
  ASSERT_EQ(set(Gate::event, CL_COMPLETE), CL_SUCCESS);
  const std::vector<float> expected = CpuResult(SplitModel());
  EXPECT_THAT(held.get(), CloseTo(expected));
  EXPECT_THAT(other.get(), CloseTo(expected));
  EXPECT_EQ(Gate::cl.ReleaseEvent(Gate::event), CL_SUCCESS);
}

}  // namespace
}  // namespace tern::delegate
