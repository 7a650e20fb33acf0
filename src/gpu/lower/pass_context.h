// SPDX-License-Identifier: Apache-2.0
// All that a rewrite of a graph may ask for beside the graph.
#ifndef TERN_GPU_LOWER_PASS_CONTEXT_H_
#define TERN_GPU_LOWER_PASS_CONTEXT_H_

#include <set>
#include <vector>

#include "gpu/desc/device_info.h"
#include "gpu/lower/lower_graph.h"
#include "gpu/lower/lowering_table.h"

namespace tern::gpu {

struct PassContext {
  const DeviceInfo& device;
  const Tuning& tuning;
  const LoweringTable& table;
  std::set<Merge> apart = {};  // nodes that are not fused
  // Nodes that are found to have no GPU form. A graph with any is not lowered.
  std::vector<RefusedNode>* refused = nullptr;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_LOWER_PASS_CONTEXT_H_
