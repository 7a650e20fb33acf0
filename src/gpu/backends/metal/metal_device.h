// SPDX-License-Identifier: Apache-2.0
// The Metal backend, in C++ over the messages of Objective-C. Every object that it makes is
// released on every path, and a process forked from one that uses it gets errors.
#ifndef TERN_GPU_BACKENDS_METAL_METAL_DEVICE_H_
#define TERN_GPU_BACKENDS_METAL_METAL_DEVICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "gpu/backends/metal/metal_context.h"
#include "gpu/backends/metal/objc_runtime.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// The system's default device. An error says why there is none.
absl::StatusOr<std::shared_ptr<Device>> OpenMetalDevice(MetalWait wait = MetalWait::kPassive);

// Opens a device with given functions.
absl::StatusOr<std::shared_ptr<Device>> OpenMetalDevice(const ObjcFunctions& objc, MetalWait wait);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_METAL_METAL_DEVICE_H_
