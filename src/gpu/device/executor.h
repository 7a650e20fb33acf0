// SPDX-License-Identifier: Apache-2.0
// A plan on a device: owns its memory, programs and recorded commands. Used by one thread at a
// time.
#ifndef TERN_GPU_DEVICE_EXECUTOR_H_
#define TERN_GPU_DEVICE_EXECUTOR_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/phases.h"
#include "gpu/desc/plan.h"
#include "gpu/device/buffer_store.h"
#include "gpu/device/device.h"
#include "gpu/device/prepared_plan.h"
#include "gpu/device/program_cache.h"

namespace tern::gpu {

// Memory of the user that stands for inputs and outputs, by their numbers. It holds the row-major
// elements of the tensor, FLOAT32 or INT32, and may be longer.
struct IoMemory {
  std::map<int, BufferRange> inputs, outputs;
};

// A dispatch whose program the driver does not build.
struct RejectedDispatch {
  int node = -1;       // Dispatch::node
  std::string reason;  // kernel and the driver's log
};

// The optional settings of an executor.
struct ExecutorSetup {
  // Each run reads and writes this memory in place. Errors about it: too short, an output that
  // overlaps another input or output.
  IoMemory given = {};
  // Where a program fails all are tried, and each dispatch of those that fail gets here.
  std::vector<RejectedDispatch>* rejected = nullptr;
  // Buffers of the right size come out of here, and go back at the end; constants that already lie
  // in one are not uploaded again.
  std::shared_ptr<BufferStore> store = nullptr;
  // Saved for this plan on this device: no text is printed and nothing is built, as long as the
  // driver takes all the binaries.
  const PreparedPlan* saved = nullptr;
  Phases* phases = nullptr;  // where times go
};

// The work that it took to have a plan's programs.
struct ProgramCounts {
  int printed = 0;   // texts of dispatches
  int compiled = 0;  // programs, from texts
  int loaded = 0;    // programs, from binaries
};

// When a launch ran, on the clock of NowNanos(): the device's clock tells how long, and the end of
// all of them when.
struct LaunchSpan {
  std::string label;  // of its dispatch
  int64_t start_nanos = 0;
  int64_t nanos = 0;
};

// The record of where the time of a run went.
struct RunTrace {
  Phases phases;
  std::vector<LaunchSpan> launches;  // none where the driver tells no times
};

// How a run goes about its work.
struct RunHow {
  bool waits = true;  // until the device is done; reading outputs waits in any case
  // The work goes into this command buffer of the application, by the number that it has in the
  // API (Device::SubmitInto), and nothing waits for it; 0: none.
  uint64_t into = 0;
};

class Executor {
 public:
  // Prints, compiles, allocates, uploads constants, a piece at a time, and records. After success
  // nothing is compiled or allocated any more.
  static absl::StatusOr<std::unique_ptr<Executor>> Create(Plan plan, const FillConstant& fill,
                                                          std::shared_ptr<Device> device,
                                                          ProgramCache& programs,
                                                          ExecutorSetup setup = {});
  ~Executor();

  // Row-major elements of input / output i in its type; bytes must be those of the tensor. An
  // INT64 index beyond 32 bits is an error.
  absl::Status WriteInput(int i, const void* data, int64_t bytes);
  // Appends to `trace`, which may be null; launches are timed for it.
  absl::Status Run(RunTrace* trace = nullptr, const RunHow& how = {});
  // After a run of a plan with a guard: the dispatches where numbers came up that halves do not
  // hold (plan/guard.h).
  absl::StatusOr<std::vector<int>> Overflows();
  absl::Status ReadOutput(int i, void* data, int64_t bytes);
  // The same in the other direction, for memory that the user gave.
  absl::Status ReadInput(int i, void* data, int64_t bytes);
  absl::Status WriteOutput(int i, const void* data, int64_t bytes);

  // Other memory of the user from the next run on, under the same rules; what was given before and
  // is not now is an error. Nothing is planned, built or uploaded.
  absl::Status Give(IoMemory given);

  // Whether the user's memory stands for input / output i.
  bool input_is_given(int i) const { return given_.inputs.count(i) != 0; }
  bool output_is_given(int i) const { return given_.outputs.count(i) != 0; }

  const Plan& plan() const { return plan_; }
  const DeviceInfo& device_info() const { return device_->info(); }
  // The distinct programs of the plan; executors of one cache share those of equal text.
  const std::vector<std::shared_ptr<Pipeline>>& programs() const { return programs_; }
  int64_t gpu_bytes() const { return bytes_; }  // device memory held, without the user's

  int64_t runs() const { return runs_; }  // that ended well
  const ProgramCounts& counts() const { return counts_; }
  // Whether what was saved is in use; if not, why the driver did not take it.
  bool from_saved() const { return from_saved_; }
  const absl::Status& saved_error() const { return saved_error_; }
  // Returns the plan to save, best after a run (Pipeline::Binary). Unimplemented: the driver gives
  // no binaries.
  absl::StatusOr<PreparedPlan> WithBinaries() const;

 private:
  struct Owned {
    std::shared_ptr<Buffer> buffer;
    int64_t bytes = 0;
    uint64_t content = 0;  // hash of constants that were uploaded
  };

  Executor(Plan plan, std::shared_ptr<Device> device, IoMemory given,
           std::shared_ptr<BufferStore> store)
      : plan_(std::move(plan)),
        device_(std::move(device)),
        given_(std::move(given)),
        store_(std::move(store)) {}
  absl::Status Prepare(const FillConstant& fill, ProgramCache& programs,
                       const ExecutorSetup& setup);
  absl::Status BuildPrograms(ProgramCache& programs, const ExecutorSetup& setup);
  absl::Status LoadPrograms(ProgramCache& programs, const PreparedPlan& saved);
  absl::Status Record();
  absl::Status SubmitTimed(std::vector<LaunchSpan>& spans);
  absl::Status Write(TensorId id, const void* data, int64_t bytes);
  absl::Status Read(TensorId id, void* data, int64_t bytes);
  absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t bytes);
  // A buffer of Plan::constants, from the store when one has its content already.
  absl::StatusOr<std::shared_ptr<Buffer>> ConstantBuffer(const FillConstant& fill, size_t number);
  absl::StatusOr<std::map<TensorId, BufferRange>> GivenRanges(const IoMemory& given) const;
  absl::Status Allocate(const FillConstant& fill);
  absl::Status UploadConstants(const FillConstant& fill);
  // Calls use(tensor, where the piece begins in it, bytes) for the constants in a buffer of
  // Plan::constants, piece by piece.
  template <typename Use>
  absl::Status EachPiece(const FillConstant& fill, size_t number, Use use) const;

  Plan plan_;
  std::shared_ptr<Device> device_;
  IoMemory given_;
  std::shared_ptr<BufferStore> store_;
  std::vector<Owned> owned_;
  std::set<size_t> uploaded_;                        // buffers of constants with their content
  std::vector<BufferRange> ranges_;                  // one per plan tensor
  PreparedPlan prepared_;                            // without texts and binaries
  std::vector<std::shared_ptr<Pipeline>> programs_;  // parallel to those of prepared_
  ProgramCounts counts_;
  bool from_saved_ = false;
  absl::Status saved_error_;
  std::unique_ptr<Commands> commands_;
  int64_t bytes_ = 0;
  int64_t runs_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_EXECUTOR_H_
