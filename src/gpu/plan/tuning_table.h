// SPDX-License-Identifier: Apache-2.0
// Tuning parameters by device: the one place to look when a device is slow.
#ifndef TERN_GPU_PLAN_TUNING_TABLE_H_
#define TERN_GPU_PLAN_TUNING_TABLE_H_

#include <iterator>
#include <string>
#include <vector>

#include "gpu/desc/device_info.h"
#include "gpu/desc/precision.h"

namespace tern::gpu {

// slice_width 0 leaves it to the table; 4, 8 and 16 override it where the device can spell them.
// `storage`: of the plan.
Tuning TuningFor(const DeviceInfo& device, int slice_width, const Storage& storage = {});

// A tuning parameter of a node; kTuningParameters has one for each member of NodeTuning.
struct TuningParameter {
  const char* name;
  int NodeTuning::*value;
  int max;  // a larger one only takes time to print
};
inline constexpr TuningParameter kTuningParameters[] = {
    {"pixels", &NodeTuning::pixels, 16},
    {"slices", &NodeTuning::slices, 16},
    {"line pixels", &NodeTuning::line_pixels, 16},
    {"line slices", &NodeTuning::line_slices, 16},
    {"depthwise pixels", &NodeTuning::depthwise_pixels, 16},
    {"group items", &NodeTuning::group_items, 1 << 16},
    {"group width", &NodeTuning::group_width, 1 << 16},
    {"reduce items", &NodeTuning::reduce_items, 1 << 16},
    {"winograd", &NodeTuning::winograd, 4},
};
static_assert(sizeof(NodeTuning) == std::size(kTuningParameters) * sizeof(int));

// Another value for a tuning parameter of a node.
struct Change {
  int NodeTuning::*parameter;
  int value;
};
using Variation = std::vector<Change>;  // those that are made together

// Returns variations of the device's tuning parameters that may be quicker, the most promising
// first. Numbers stay the same, but `reduce_items` changes the order of sums, and `winograd` how
// they are rounded.
std::vector<Variation> Variations(const DeviceInfo& device, const Tuning& tuning);

NodeTuning With(NodeTuning tuning, const Variation& variation);

// "pixels 4, slices 2": the parameters that differ; empty where none do.
std::string Difference(const NodeTuning& from, const NodeTuning& to);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_TUNING_TABLE_H_
