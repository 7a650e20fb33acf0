// SPDX-License-Identifier: Apache-2.0
// A plan on a device, ready to run: programs, memory, commands. Used by one thread at a time.
#ifndef TERN_GPU_DEVICE_EXECUTOR_H_
#define TERN_GPU_DEVICE_EXECUTOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/phases.h"
#include "gpu/desc/plan.h"
#include "gpu/device/buffer_store.h"
#include "gpu/device/device.h"
#include "gpu/device/device_memory.h"
#include "gpu/device/io_convert.h"
#include "gpu/device/plan_programs.h"
#include "gpu/device/prepared_plan.h"
#include "gpu/device/program_cache.h"

namespace tern::gpu {

// The optional settings of an executor.
struct ExecutorSetup {
  IoMemory given = {};                                // the caller's memory, used in place
  std::vector<RejectedDispatch>* rejected = nullptr;  // filled by MakePrograms
  std::shared_ptr<BufferStore> store = nullptr;       // DeviceMemory; null: one of its own
  const PreparedPlan* saved = nullptr;                // for this plan on this device
  Phases* phases = nullptr;                           // where times go
  std::shared_ptr<Queue> queue = nullptr;             // of the device; null: the device itself
};

// When a launch ran, on the clock of NowNanos(). `nanos` is by the device's clock; `start_nanos`
// counts back from the time at which the last launch had ended.
struct LaunchSpan {
  std::string label;        // of its dispatch
  const char* kernel = "";  // its name
  int64_t start_nanos = 0;
  int64_t nanos = 0;
};

// The record of where the time of a run went.
struct RunTrace {
  Phases phases;
  std::vector<LaunchSpan> launches;  // none where the driver tells no times
};

class Executor {
 public:
  // After success nothing is compiled or allocated any more.
  static absl::StatusOr<std::unique_ptr<Executor>> Create(Plan plan, const FillConstant& fill,
                                                          std::shared_ptr<Device> device,
                                                          ProgramCache& cache,
                                                          ExecutorSetup setup = {});

  // Copies inputs to the device and outputs from it, and converts their types.
  IoConverter io() const { return {*queue_, plan_, ranges_}; }
  // Submits without waiting; reading an output waits for the run. Where `into` is not 0 the work
  // goes into that command buffer of the application (Queue::SubmitInto). Appends to `trace`, which
  // may be null. With `trace`, and `into` 0, each launch is timed, and the call waits for all.
  absl::Status Run(RunTrace* trace = nullptr, uint64_t into = 0);
  // Blocks until all runs have finished.
  absl::Status Wait() { return queue_->Wait(); }
  // After a run of a plan with a guard: the dispatches where numbers came up that halves do not
  // hold (plan/guard.h).
  absl::StatusOr<std::vector<int>> Overflows();

  // Replaces the caller's memory from the next run on. Error: a tensor that had memory of the
  // caller has none now. Nothing is planned, built or uploaded.
  absl::Status Give(IoMemory given);

  const Plan& plan() const { return plan_; }
  const DeviceInfo& device_info() const { return device_->info(); }
  const IoMemory& given() const { return given_; }
  const PlanPrograms& programs() const { return programs_; }
  int64_t gpu_bytes() const { return memory_.bytes(); }  // device memory held, without the user's
  int64_t runs() const { return runs_; }                 // that were submitted

 private:
  Executor(Plan plan, std::shared_ptr<Device> device, ExecutorSetup setup);
  absl::StatusOr<std::unique_ptr<Commands>> Record(const TensorRanges& ranges) const;
  absl::Status SubmitTimed(std::vector<LaunchSpan>& spans);

  const Plan plan_;
  const std::shared_ptr<Device> device_;
  const std::shared_ptr<Queue> queue_;
  PlanPrograms programs_;
  IoMemory given_;
  DeviceMemory memory_;
  TensorRanges ranges_;
  std::unique_ptr<Commands> commands_;  // ends before the memory that it uses
  int64_t runs_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_EXECUTOR_H_
