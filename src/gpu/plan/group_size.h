// SPDX-License-Identifier: Apache-2.0
// Work-group sizes for dispatches that leave the choice open.
#ifndef TERN_GPU_PLAN_GROUP_SIZE_H_
#define TERN_GPU_PLAN_GROUP_SIZE_H_

#include "gpu/desc/device_info.h"

namespace tern::gpu {

// A group of about tuning.group_items items within the device's limits that wastes little of the
// grid. Few different answers: some drivers compile a kernel again for each size.
Int3 ChooseGroup(const Int3& grid, const DeviceInfo& device, const NodeTuning& tuning);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_GROUP_SIZE_H_
