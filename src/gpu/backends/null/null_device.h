// SPDX-License-Identifier: Apache-2.0
// Devices that exist only as numbers: plans for hardware that is not at hand can be made, checked
// and printed, never run.
#ifndef TERN_GPU_BACKENDS_NULL_NULL_DEVICE_H_
#define TERN_GPU_BACKENDS_NULL_NULL_DEVICE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// An unknown name is an error that lists the known ones.
std::vector<std::string> NullDeviceNames();
absl::StatusOr<DeviceInfo> NullDeviceInfo(std::string_view name);

// The name of the language in which its kernels are printed unless another is asked for.
std::string NullDeviceLanguage(std::string_view name);

// Prints kernels in `language`, which must outlive it; Compile, Record and Submit are errors.
std::shared_ptr<Device> MakeNullDevice(DeviceInfo info, const Language& language);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_NULL_NULL_DEVICE_H_
