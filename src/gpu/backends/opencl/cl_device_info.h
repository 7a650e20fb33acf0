// SPDX-License-Identifier: Apache-2.0
// Reads the properties of an OpenCL device and brings them into sane ranges: drivers have been seen
// to report zeros and all ones.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_DEVICE_INFO_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_DEVICE_INFO_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/opencl/cl_library.h"
#include "gpu/desc/device_info.h"

namespace tern::gpu {

// A query that fails leaves the default of the field.
DeviceInfo ReadClDeviceInfo(const ClFunctions& cl, cl_device_id device);

struct ClCandidate {
  cl_device_id device = nullptr;
  std::string name;
};

// All devices that can compile, GPUs first, then other accelerators, then CPUs; within a kind in
// the order of the driver. An error says why there is none.
absl::StatusOr<std::vector<ClCandidate>> ListClDevices(const ClFunctions& cl);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_DEVICE_INFO_H_
