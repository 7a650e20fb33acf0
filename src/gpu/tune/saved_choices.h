// SPDX-License-Identifier: Apache-2.0
// Choices for the nodes of a graph as bytes, to start with in another process.
#ifndef TERN_GPU_TUNE_SAVED_CHOICES_H_
#define TERN_GPU_TUNE_SAVED_CHOICES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/device_info.h"
#include "gpu/device/saved_plan.h"

namespace tern::gpu {

// `key` is that of the plan without choices for single nodes.
std::vector<uint8_t> SaveChoices(const SavedPlanKey& key, const TunedNodes& nodes);

// DataLoss: these bytes are none, or are of another plan, device, driver or build. Choices that it
// returns are within the limits that kernels are written for; the plan made with them is checked
// like any other.
absl::StatusOr<TunedNodes> LoadChoices(std::span<const uint8_t> bytes, const SavedPlanKey& key);

}  // namespace tern::gpu

#endif  // TERN_GPU_TUNE_SAVED_CHOICES_H_
