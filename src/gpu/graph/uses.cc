// SPDX-License-Identifier: Apache-2.0
// One walk over the nodes.
#include "gpu/graph/uses.h"

namespace tern::gpu {

Uses::Uses(const Graph& graph)
    : writers_(graph.tensors.size(), -1), readers_(graph.tensors.size()) {
  for (const Node& node : graph.nodes) {
    for (const TensorId id : node.inputs) {
      if (!InRange(id)) continue;
      std::vector<int>& readers = readers_[id];
      if (readers.empty() || readers.back() != node.index) readers.push_back(node.index);
    }
    for (const TensorId id : node.outputs) {
      if (InRange(id)) writers_[id] = node.index;
    }
  }
}

}  // namespace tern::gpu
