// SPDX-License-Identifier: Apache-2.0
// The writer and the readers of each tensor of a list of nodes.
#ifndef TERN_GPU_GRAPH_USES_H_
#define TERN_GPU_GRAPH_USES_H_

#include <vector>

#include "gpu/graph/graph.h"

namespace tern::gpu {

// Built from the graph once; later changes of the graph do not show. Nodes are identified by their
// number in the model. Operands beyond the graph's tensors are left out.
class Uses {
 public:
  explicit Uses(const Graph& graph);

  // The last node that writes a tensor; -1: none does.
  int WriterOf(TensorId id) const { return InRange(id) ? writers_[id] : -1; }
  // In execution order, each once.
  const std::vector<int>& ReadersOf(TensorId id) const {
    return InRange(id) ? readers_[id] : none_;
  }

 private:
  bool InRange(TensorId id) const { return id >= 0 && static_cast<size_t>(id) < writers_.size(); }

  std::vector<int> writers_;
  std::vector<std::vector<int>> readers_;
  std::vector<int> none_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_GRAPH_USES_H_
