// SPDX-License-Identifier: Apache-2.0
// One size per device class and grid form, so that programs and sizes stay few.
#include "gpu/plan/group_size.h"

#include <algorithm>

namespace tern::gpu {

Int3 ChooseGroup(const Int3& grid, const DeviceInfo& device, const NodeTuning& tuning) {
  const int items = std::max(1, std::min(tuning.group_items, device.max_group_items));
  Int3 group = {1, 1, 1};
  if (device.device_class == DeviceClass::kCpu) {
    // Work-items of a group run one after another on one core; groups are spread over cores. Always
    // the same size, because some of these drivers compile a kernel again for each; idle items cost
    // little.
    group[0] = std::min(items, device.max_group[0]);
    return group;
  }
  // Neighbouring pixels share cache lines; a wide flat grid gets a flat group.
  group[0] = std::min({grid[1] > 1 ? tuning.group_width : items, items, device.max_group[0]});
  while (group[0] > 1 && group[0] / 2 >= grid[0]) group[0] /= 2;
  group[1] = std::min({items / group[0], 4, device.max_group[1]});
  while (group[1] > 1 && group[1] / 2 >= grid[1]) group[1] /= 2;
  group[2] = std::min({items / (group[0] * group[1]), 4, device.max_group[2]});
  while (group[2] > 1 && group[2] / 2 >= grid[2]) group[2] /= 2;
  return group;
}

}  // namespace tern::gpu
