// SPDX-License-Identifier: Apache-2.0
// Estimates the gain of running a part of a graph on the GPU, by rule of thumb.
#ifndef TERN_GPU_PARTITION_PARTITION_GAIN_H_
#define TERN_GPU_PARTITION_PARTITION_GAIN_H_

#include <cstdint>
#include <vector>

#include "gpu/partition/node_cost.h"

namespace tern::gpu {

struct PartitionCost {
  std::vector<NodeCost> nodes;
  int64_t cut_bytes = 0;  // of tensors that each run copies in and out
};

// Nanoseconds of a run that the GPU saves, negative where it costs more than it saves. An estimate
// to put parts in order: the rates in the source are orders of magnitude for a phone or a desktop
// of the last years, not measured on the device that is used.
int64_t EstimateGain(const PartitionCost& cost);

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_PARTITION_GAIN_H_
