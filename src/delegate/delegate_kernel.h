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
#include <vector>

#include "absl/status/status.h"
#include "delegate/half_guard.h"
#include "delegate/plan_cache.h"
#include "delegate/run_log.h"
#include "gpu/device/executor.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

class DelegateKernel {
 public:
  // Tensors of the runtime in the order of the plan's inputs and outputs. The log may be null, and
  // so may the cache, where the plan is saved once it ran.
  DelegateKernel(std::vector<int> inputs, std::vector<int> outputs,
                 std::unique_ptr<gpu::Executor> executor, std::shared_ptr<RunLog> log = nullptr,
                 std::optional<HalfGuard> guard = std::nullopt,
                 std::shared_ptr<PlanCache> cache = nullptr);
  ~DelegateKernel();

  // Compares the tensors with the plan; the runtime may ask several times.
  absl::Status Prepare(const TfLiteContext& context) const;
  // Blocks until the outputs are in host memory, or in the application's: those tensors are then
  // stale. Allocates nothing, unless runs are traced or a guard has nodes put in floats. An error
  // when another thread is inside, when a tensor has no memory or another size, and in a forked
  // child.
  absl::Status Invoke(const TfLiteContext& context);

  // Tensors at the io.
  std::vector<int> inputs() const { return TensorsOf(inputs_); }
  std::vector<int> outputs() const { return TensorsOf(outputs_); }
  // Copies what the device has of a tensor at the io, and the other way; bytes must be its size.
  absl::Status CopyOut(int tensor, void* to, size_t bytes);
  absl::Status CopyIn(int tensor, const void* from, size_t bytes);

 private:
  struct IoTensor {
    int tensor;
    size_t bytes;
    bool given;  // the application's memory stands for it
  };
  static absl::Status CheckIoTensor(const TfLiteContext& context, const IoTensor& io);
  static std::vector<int> TensorsOf(const std::vector<IoTensor>& ios);
  absl::Status Run(const TfLiteContext& context, gpu::RunTrace* trace);
  absl::Status RunLogged(const TfLiteContext& context);
  absl::Status RunOn(gpu::Executor& executor, const TfLiteContext& context,
                     gpu::RunTrace* trace) const;
  absl::Status Alone(const std::function<absl::Status()>& task);
  // Calls the one for inputs or the one for outputs with the number of the io.
  absl::Status AtIo(int tensor, size_t bytes, const std::function<absl::Status(int)>& input,
                    const std::function<absl::Status(int)>& output);

  std::vector<IoTensor> inputs_, outputs_;
  std::unique_ptr<gpu::Executor> executor_;
  const std::shared_ptr<RunLog> log_;
  const std::shared_ptr<PlanCache> cache_;
  std::optional<HalfGuard> guard_;
  bool ran_ = false;  // at least once
  pid_t owner_;       // process that set up the driver
  std::atomic<bool> busy_ = false;
};

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_DELEGATE_KERNEL_H_
