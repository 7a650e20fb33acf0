// SPDX-License-Identifier: Apache-2.0
// Estimates the cost of a node from shapes alone. The estimate serves to compare nodes and parts of
// a graph with each other, not to predict times.
#ifndef TERN_GPU_PARTITION_NODE_COST_H_
#define TERN_GPU_PARTITION_NODE_COST_H_

#include <cstdint>

#include "gpu/graph/graph.h"

namespace tern::gpu {

struct NodeCost {
  int64_t multiply_adds = 0;  // one for each element that an operation without products makes
  int64_t bytes = 0;          // of its inputs, constants included, and its outputs
};

// Operations and bytes are 0 or more and stop at 2^62. Operands that do not exist, and shapes with
// an unknown extent, count for nothing. Padding, fused activations and graphs that the node calls
// are left out.
NodeCost EstimateCost(const Graph& graph, const Node& node);

// Bytes of a tensor as the runtime holds it; 0 where its size is unknown.
int64_t TensorBytes(const GraphTensor& tensor);

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_NODE_COST_H_
