// SPDX-License-Identifier: Apache-2.0
// Checks of sizes and launches that all backends share, in one wording. Limits are those of the
// device, or narrower ones that the caller knows.
#ifndef TERN_GPU_DEVICE_LAUNCH_CHECKS_H_
#define TERN_GPU_DEVICE_LAUNCH_CHECKS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// Checks the size of a new buffer.
absl::Status CheckBufferSize(int64_t bytes, const DeviceInfo& info);

// Checks that `bytes` bytes from the range's offset on lie within a buffer of `limit` bytes.
absl::Status CheckWithin(const BufferRange& range, int64_t bytes, int64_t limit);

// Checks a range that a launch is given: it has bytes and begins where the device allows it.
// Whether it lies within its buffer is CheckWithin's.
absl::Status CheckArgument(const BufferRange& range, const DeviceInfo& info);

// Checks that a launch has as many arguments as its program takes.
absl::Status CheckArgumentCount(const Launch& launch, size_t buffers, size_t uniforms);

// The groups along each axis that cover the grid. An error where the grid is empty or a group
// longer than the device allows.
absl::StatusOr<Int3> CountGroups(const Launch& launch, const DeviceInfo& info);

// Checks the number of work-items in one group.
absl::Status CheckGroupItems(const Launch& launch, int64_t limit);

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_LAUNCH_CHECKS_H_
