// SPDX-License-Identifier: Apache-2.0
// A device made of the processor and the system's C++ compiler: it runs the text that is printed
// for Metal. For tests; sanitizers of the process see into the kernels.
#ifndef TERN_GPU_BACKENDS_HOST_HOST_DEVICE_H_
#define TERN_GPU_BACKENDS_HOST_HOST_DEVICE_H_

#include <memory>

#include "gpu/device/device.h"

namespace tern::gpu {

// Limits of a small GPU; slices up to 16 lanes, 4 by default.
DeviceInfo HostDeviceInfo();

// A device that claims to be `info` (limits and class are the caller's choice).
std::shared_ptr<Device> OpenHostDevice(DeviceInfo info = HostDeviceInfo());

// The memory of a buffer that a host device made, for as long as it lives.
char* HostMemory(const Buffer& buffer);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_HOST_HOST_DEVICE_H_
