// SPDX-License-Identifier: Apache-2.0
// Copies inputs and outputs between host and device, each side in its own types.
#ifndef TERN_GPU_DEVICE_IO_CONVERT_H_
#define TERN_GPU_DEVICE_IO_CONVERT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "gpu/desc/plan.h"
#include "gpu/device/device.h"
#include "gpu/device/device_memory.h"

namespace tern::gpu {

// The device has the tensors of the plan in these ranges. The host has row-major elements in the
// type of the model; bytes must be those of the tensor. An INT64 index beyond 32 bits is an error.
struct IoConverter {
  Queue& queue;
  const Plan& plan;
  const TensorRanges& ranges;

  absl::Status Write(Io io, const void* data, int64_t bytes) const;
  absl::Status Read(Io io, void* data, int64_t bytes) const;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_IO_CONVERT_H_
