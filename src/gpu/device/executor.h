// SPDX-License-Identifier: Apache-2.0
// A plan on a device: owns its memory, programs and recorded commands. Used by one thread at a
// time.
#ifndef TERN_GPU_DEVICE_EXECUTOR_H_
#define TERN_GPU_DEVICE_EXECUTOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/plan.h"
#include "gpu/device/device.h"
#include "gpu/device/program_cache.h"

namespace tern::gpu {

class Executor {
 public:
  // Prints, compiles, allocates, uploads constants (whose values it releases from the plan) and
  // records. After success nothing is compiled or allocated any more.
  static absl::StatusOr<std::unique_ptr<Executor>> Create(Plan plan, std::shared_ptr<Device> device,
                                                          ProgramCache& programs);

  // Row-major float elements of input / output i; bytes must be those of the tensor.
  absl::Status WriteInput(int i, const void* data, int64_t bytes);
  absl::Status Run();
  absl::Status ReadOutput(int i, void* data, int64_t bytes);

  const Plan& plan() const { return plan_; }
  int programs() const { return programs_; }    // distinct programs that the plan uses
  int64_t gpu_bytes() const { return bytes_; }  // device memory held

 private:
  Executor(Plan plan, std::shared_ptr<Device> device)
      : plan_(std::move(plan)), device_(std::move(device)) {}
  absl::Status Prepare(ProgramCache& programs);
  absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t bytes);
  absl::Status Allocate();
  absl::Status UploadConstants();

  Plan plan_;
  std::shared_ptr<Device> device_;
  std::vector<BufferRange> ranges_;  // one per plan tensor
  std::unique_ptr<Commands> commands_;
  int programs_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_EXECUTOR_H_
