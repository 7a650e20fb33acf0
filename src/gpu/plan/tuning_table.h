// SPDX-License-Identifier: Apache-2.0
// Tuned choices by device: the one place to look when a device is slow.
#ifndef TERN_GPU_PLAN_TUNING_TABLE_H_
#define TERN_GPU_PLAN_TUNING_TABLE_H_

#include "gpu/desc/device_info.h"

namespace tern::gpu {

// slice_width 0 leaves the choice to the table; 4, 8 and 16 override it where the device can spell
// them.
Tuning TuningFor(const DeviceInfo& device, int slice_width);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_TUNING_TABLE_H_
