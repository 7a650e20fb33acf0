// SPDX-License-Identifier: Apache-2.0
// Limits of a Metal device. Metal tells some; the others come from the table of feature sets of its
// GPU families.
#ifndef TERN_GPU_BACKENDS_METAL_METAL_DEVICE_INFO_H_
#define TERN_GPU_BACKENDS_METAL_METAL_DEVICE_INFO_H_

#include "gpu/backends/metal/metal_context.h"
#include "gpu/desc/device_info.h"

namespace tern::gpu {

DeviceInfo ReadMetalDeviceInfo(const MetalContext& context);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_METAL_METAL_DEVICE_INFO_H_
