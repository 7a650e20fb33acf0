// SPDX-License-Identifier: Apache-2.0
// A prepared plan with its programs' binaries as bytes, to start from in another process.
//
// The plan itself is created again at every start, which takes less than a millisecond, and the
// saved one counts only where it is the same, byte for byte. So no shape, option or weight of an
// older model comes back from a file: constants are always the model's.
#ifndef TERN_GPU_DEVICE_SAVED_PLAN_H_
#define TERN_GPU_DEVICE_SAVED_PLAN_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/byte_stream.h"
#include "gpu/desc/plan.h"
#include "gpu/device/device.h"
#include "gpu/device/prepared_plan.h"

namespace tern::gpu {

// Identifies all that saved bytes depend on: the plan, the device with its driver, and the build of
// Tern that prints the texts.
struct SavedPlanKey {
  SavedPlanKey(const Plan& plan, const DeviceInfo& device);

  std::vector<uint8_t> plan;    // PlanBytes
  std::vector<uint8_t> origin;  // device, driver, build

  // For people and for tables: the device, the number of launches and a hash of all.
  std::string text;

  // Writes the start of all saved bytes.
  void WriteTo(ByteWriter& to) const;
  // Reads and checks the start of saved bytes. DataLoss: of another device, driver, build or plan.
  absl::Status Check(ByteReader& from) const;
};

// Every program of `prepared` has a binary.
std::vector<uint8_t> SavePlan(const SavedPlanKey& key, const PreparedPlan& prepared);

// The prepared plan, with binaries instead of texts. DataLoss: these bytes are none, or are of
// another plan, device, driver or build. Any bytes may be given, but a driver takes binaries on
// trust: their origin must be known by a checksum.
absl::StatusOr<PreparedPlan> LoadPlan(std::span<const uint8_t> bytes, const SavedPlanKey& key,
                                      const Plan& plan);

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_SAVED_PLAN_H_
