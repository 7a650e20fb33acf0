// SPDX-License-Identifier: Apache-2.0
// Tuned choices by device: the one place to look when a device is slow.
#ifndef TERN_GPU_PLAN_TUNING_TABLE_H_
#define TERN_GPU_PLAN_TUNING_TABLE_H_

#include <iterator>
#include <string>
#include <vector>

#include "gpu/desc/device_info.h"

namespace tern::gpu {

// slice_width 0 leaves the choice to the table; 4, 8 and 16 override it where the device can spell
// them.
Tuning TuningFor(const DeviceInfo& device, int slice_width);

// A tuning parameter of a node; kChoices has one for each member of NodeTuning.
struct Choice {
  const char* name;
  int NodeTuning::*value;
  int most;  // a larger one only takes time to print
};
inline constexpr Choice kChoices[] = {
    {"pixels", &NodeTuning::pixels, 16},
    {"slices", &NodeTuning::slices, 16},
    {"depthwise pixels", &NodeTuning::depthwise_pixels, 16},
    {"group items", &NodeTuning::group_items, 1 << 16},
    {"group width", &NodeTuning::group_width, 1 << 16},
    {"reduce items", &NodeTuning::reduce_items, 1 << 16},
};
static_assert(sizeof(NodeTuning) == std::size(kChoices) * sizeof(int));

// Another value for a choice of a node.
struct Change {
  int NodeTuning::*choice;
  int value;
};
using Variation = std::vector<Change>;  // those that are made together

// Returns the variations of the device's choices that may be quicker for some nodes, the most
// promising first. Each gives the same numbers, but for the order of sums where `reduce_items`
// changes.
std::vector<Variation> Variations(const DeviceInfo& device, const Tuning& tuning);

NodeTuning With(NodeTuning tuning, const Variation& variation);

// "pixels 4, slices 2": in what a choice differs from another; empty where it does not.
std::string Difference(const NodeTuning& from, const NodeTuning& to);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_TUNING_TABLE_H_
