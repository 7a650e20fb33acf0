// SPDX-License-Identifier: Apache-2.0
// The data that the launches of a plan need beside it: programs, and the arguments of each launch.
// It comes from the kernels' texts, or from where an earlier start saved it.
#ifndef TERN_GPU_DEVICE_PREPARED_PLAN_H_
#define TERN_GPU_DEVICE_PREPARED_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "gpu/desc/plan.h"
#include "gpu/device/device.h"

namespace tern::gpu {

struct PreparedProgram {
  Hash128 text;          // TextHash of the source's text
  ProgramSource source;  // its text is empty where the binary stands for it
  ProgramBinary binary;  // empty: there is none
};

struct PreparedLaunch {
  size_t dispatch = 0;  // of the plan
  size_t program = 0;
  std::vector<TensorId> buffers;  // of the plan, in the order of the signature
  std::vector<uint32_t> uniform_words;
};

struct PreparedPlan {
  std::vector<PreparedProgram> programs;  // each distinct text once
  std::vector<PreparedLaunch> launches;   // of the dispatches that have work, in their order
};

// Returns the hash that tells programs apart.
Hash128 TextHash(const ProgramSource& source);

// Whether a dispatch has any work-item.
bool HasWork(const Dispatch& dispatch);

// Prints the texts of all dispatches that have work.
absl::StatusOr<PreparedPlan> PreparePlan(const Plan& plan, const DeviceInfo& device,
                                         const Language& language);

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_PREPARED_PLAN_H_
