// SPDX-License-Identifier: Apache-2.0
// Powers of two, so that programs and sizes stay few.
#include "gpu/plan/group_size.h"

#include <algorithm>

namespace tern::gpu {

Int3 ChooseGroup(const Int3& grid, const DeviceInfo& device, const Tuning& tuning, int node) {
  const NodeTuning& parameters = tuning.Of(node);
  const int items = std::max(1, std::min(parameters.group_items, device.max_group_items));
  const auto fit = [&](int size, int axis) {
    int fitting = std::min(size, device.max_group[axis]);
    while (!tuning.same_groups && fitting > 1 && fitting / 2 >= grid[axis]) fitting /= 2;
    return fitting;
  };
  // Neighbouring pixels share cache lines; a wide flat grid gets a flat group.
  Int3 group = {1, 1, 1};
  group[0] = fit(grid[1] > 1 ? std::min(parameters.group_width, items) : items, 0);
  group[1] = fit(std::min(items / group[0], 4), 1);
  group[2] = fit(std::min(items / (group[0] * group[1]), 4), 2);
  return group;
}

}  // namespace tern::gpu
