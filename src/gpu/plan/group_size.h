// SPDX-License-Identifier: Apache-2.0
// Work-group sizes for dispatches that leave the choice open.
#ifndef TERN_GPU_PLAN_GROUP_SIZE_H_
#define TERN_GPU_PLAN_GROUP_SIZE_H_

#include "gpu/desc/device_info.h"

namespace tern::gpu {

// A group of about as many items as the node's group_items within the device's limits. It wastes
// little of the grid, or has the same size for all grids with rows, and for all without, where
// tuning.same_groups.
Int3 ChooseGroup(const Int3& grid, const DeviceInfo& device, const Tuning& tuning, int node);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_GROUP_SIZE_H_
