// SPDX-License-Identifier: Apache-2.0
// Times of plans on a device.
#ifndef TERN_GPU_TUNE_MEASURE_H_
#define TERN_GPU_TUNE_MEASURE_H_

#include <memory>

#include "gpu/device/device.h"
#include "gpu/device/program_cache.h"
#include "gpu/tune/tune.h"

namespace tern::gpu {

// Runs plans by the device's own clock, on inputs between -1 and 1 and integers that are zero. An
// error where the driver tells no times of launches. The cache must outlive what is returned.
MeasurePlans MeasureOn(std::shared_ptr<Device> device, ProgramCache* programs);

// Multiply-adds per second of floats in registers, the peak of the device; takes some milliseconds.
// An error where the driver tells no times of launches.
absl::StatusOr<int64_t> MeasureFmaPeak(const std::shared_ptr<Device>& device,
                                       ProgramCache* programs);

}  // namespace tern::gpu

#endif  // TERN_GPU_TUNE_MEASURE_H_
