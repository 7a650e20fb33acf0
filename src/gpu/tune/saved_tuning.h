// SPDX-License-Identifier: Apache-2.0
// Tuning parameters of nodes as bytes, for the next process.
#ifndef TERN_GPU_TUNE_SAVED_TUNING_H_
#define TERN_GPU_TUNE_SAVED_TUNING_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/device_info.h"
#include "gpu/device/saved_plan.h"

namespace tern::gpu {

// `key` is that of the plan without parameters for single nodes.
std::vector<uint8_t> SaveTuning(const SavedPlanKey& key, const TunedNodes& nodes);

// DataLoss: these bytes are none, or of another plan, device, driver or build. The parameters are
// within the limits of kernels; the plan made with them is checked like any other.
absl::StatusOr<TunedNodes> LoadTuning(std::span<const uint8_t> bytes, const SavedPlanKey& key);

}  // namespace tern::gpu

#endif  // TERN_GPU_TUNE_SAVED_TUNING_H_
