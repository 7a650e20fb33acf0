// SPDX-License-Identifier: Apache-2.0
// Parts of a graph: what enters and leaves them, what they gain, and what lies around them.
#ifndef TERN_GPU_PARTITION_CUT_H_
#define TERN_GPU_PARTITION_CUT_H_

#include <cstdint>
#include <set>
#include <vector>

#include "gpu/graph/graph.h"
#include "gpu/graph/uses.h"

namespace tern::gpu {

// Nodes by Node::index.
struct Partition {
  std::vector<int> nodes;        // in execution order
  std::vector<TensorId> inputs;  // constants included
  std::vector<TensorId> outputs;

  friend bool operator==(const Partition&, const Partition&) = default;
};

// Makes one partition of nodes, whatever a runtime would cut them into. Inputs are written and
// outputs are read by others or by none.
Partition PartitionOf(const Graph& graph, const Uses& uses, const std::vector<int>& nodes);

// The nodes of a partition with all tensors. Its inputs are those of the partition that are not
// constant.
Graph GraphOf(const Graph& graph, const Partition& partition);

// Estimates the nanoseconds of a run that a partition saves on the GPU (EstimateGain). Nodes that
// make constants do not run.
int64_t GainOf(const Graph& graph, const Partition& partition);

// The nodes of a partition that make constants for nodes outside of it: on the CPU that is done
// once, a partition would hand the numbers over in every run.
std::vector<int> NodesForOthers(const Graph& graph, const Uses& uses, const Partition& partition);

// Operands and results of all nodes outside of a partition.
std::set<TensorId> TensorsOfOthers(const Graph& graph, const Partition& partition);

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_CUT_H_
