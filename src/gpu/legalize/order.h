// SPDX-License-Identifier: Apache-2.0
// Whether each tensor has one value: a plan knows no other.
#ifndef TERN_GPU_LEGALIZE_ORDER_H_
#define TERN_GPU_LEGALIZE_ORDER_H_

#include <vector>

#include "absl/status/status.h"
#include "gpu/graph/graph.h"

namespace tern::gpu {

// By tensor: whether a node writes it after it already had a value that something could read. Nodes
// around such a write could run on the wrong side of it.
std::vector<bool> FindOverwritten(const Graph& graph);
// An error when the node has one of these.
absl::Status CheckWrittenOnce(const Graph& graph, const std::vector<bool>& overwritten,
                              const Node& node);

// An error when a tensor of a called graph is written twice, is read before it is written, or is an
// output without a value.
absl::Status CheckOrder(const CalledGraph& graph);

}  // namespace tern::gpu

#endif  // TERN_GPU_LEGALIZE_ORDER_H_
