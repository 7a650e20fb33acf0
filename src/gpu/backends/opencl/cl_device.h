// SPDX-License-Identifier: Apache-2.0
// The OpenCL backend. Every driver object that it makes is released on every path, and a process
// forked from one that uses it gets errors.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_DEVICE_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_DEVICE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "gpu/backends/opencl/cl_library.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// Loads the library and opens the device that the environment variable TERN_OPENCL_DEVICE chooses,
// by its place in the list of devices or by a part of its name in any case; without it the first
// that works (GPUs come first, CPUs last). An error lists what there is.
absl::StatusOr<std::shared_ptr<Device>> OpenClDevice();

// Opens a device with given functions; an empty choice means any.
absl::StatusOr<std::shared_ptr<Device>> OpenClDevice(const ClFunctions& functions,
                                                     const std::string& choice);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_DEVICE_H_
