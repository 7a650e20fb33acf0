// SPDX-License-Identifier: Apache-2.0
// One partition on the GPU, as a node of the runtime: copies tensors in, runs, copies tensors out,
// except where a buffer of the application stands for a tensor.
// Everything that may fail for good has happened before one of these exists.
#ifndef TERN_DELEGATE_DELEGATE_KERNEL_H_
#define TERN_DELEGATE_DELEGATE_KERNEL_H_

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "delegate/bound_buffers.h"
#include "gpu/device/executor.h"
#include "gpu/partition/half_guard.h"
#include "gpu/partition/plan_cache.h"
#include "gpu/partition/run_log.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

// A partition as it was compiled, with other buffers of the application at its edges.
using Rebind =
    std::function<absl::StatusOr<std::unique_ptr<gpu::Executor>>(const BoundBuffers& bound)>;

// How a run goes about its work.
struct RunHow {
  bool waits = true;  // until bound outputs are there; those on the host are in any case
  // The work goes into this command buffer of the application, by the number that it has in the
  // API (gpu::Queue::SubmitInto), and nothing waits for it; 0: none.
  uint64_t into = 0;
};

class DelegateKernel {
 public:
  // Tensors of the runtime in the order of the plan's inputs and outputs. The log may be null, and
  // so may the cache, where the plan is saved once it ran.
  DelegateKernel(std::vector<int> inputs, std::vector<int> outputs,
                 std::unique_ptr<gpu::Executor> executor,
                 std::shared_ptr<gpu::RunLog> log = nullptr,
                 std::optional<gpu::HalfGuard> guard = std::nullopt,
                 std::shared_ptr<gpu::PlanCache> cache = nullptr);
  ~DelegateKernel();

  bool HasIo(int tensor) const { return Find(tensor) != nullptr; }
  // Buffers that the application binds from now on. Nodes on the CPU write or read the tensors in
  // `shared`.
  void AllowBinding(Rebind rebind, std::set<int> shared, BoundBuffers bound);
  // Makes a buffer of the application, made on the kernel's device, the memory of a tensor. An
  // error where the tensor is not at the io or shared, or the buffer does not fit.
  absl::Status Bind(const TfLiteContext& context, int tensor, const BoundBuffer& buffer);

  // Compares the tensors with the plan; the runtime may ask several times.
  absl::Status Prepare(const TfLiteContext& context) const;
  // Blocks until the outputs are in host memory, or in the application's: those tensors are then
  // stale, where they have a handle. Without waiting, or into a command buffer of the application,
  // it returns before that where all outputs are in the application's memory; a command buffer
  // demands that. Allocates nothing, unless runs are traced or a guard has nodes put in floats. An
  // error when another thread is inside, when a tensor has no memory or another size, and in a
  // forked child.
  absl::Status Invoke(const TfLiteContext& context, const RunHow& how = {});

  // Tensors at the io.
  std::vector<int> inputs() const { return TensorsOf(inputs_); }
  std::vector<int> outputs() const { return TensorsOf(outputs_); }
  // Copies what the device has of a tensor at the io, and the other way; bytes must be its size.
  absl::Status CopyOut(int tensor, void* to, size_t bytes);
  absl::Status CopyIn(int tensor, const void* from, size_t bytes);

 private:
  struct IoTensor {
    int tensor;
    gpu::Io io;  // of the plan
    size_t bytes;
    bool given;  // the application's memory stands for it
  };
  static absl::Status CheckIoTensor(const TfLiteContext& context, const IoTensor& io);
  static std::vector<int> TensorsOf(const std::vector<IoTensor>& ios);
  void ReadIos(const std::vector<int>& inputs, const std::vector<int>& outputs);
  absl::Status Run(const TfLiteContext& context, gpu::RunTrace* trace, const RunHow& how);
  absl::Status RunLogged(const TfLiteContext& context, const RunHow& how);
  absl::Status RunOn(gpu::Executor& executor, const TfLiteContext& context, gpu::RunTrace* trace,
                     const RunHow& how) const;
  absl::Status Alone(const std::function<absl::Status()>& task);
  const IoTensor* Find(int tensor) const;  // at the io; null: it is not there
  absl::Status AtIo(int tensor, size_t bytes, const std::function<absl::Status(gpu::Io)>& task);

  std::vector<IoTensor> inputs_, outputs_;
  std::unique_ptr<gpu::Executor> executor_;
  const std::shared_ptr<gpu::RunLog> log_;
  const std::shared_ptr<gpu::PlanCache> cache_;
  std::optional<gpu::HalfGuard> guard_;
  Rebind rebind_;  // null: no buffers are bound later
  std::set<int> shared_;
  BoundBuffers bound_;
  bool ran_ = false;  // at least once
  pid_t owner_;       // process that set up the driver
  std::atomic<bool> busy_ = false;
};

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_DELEGATE_KERNEL_H_
