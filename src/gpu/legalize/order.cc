// SPDX-License-Identifier: Apache-2.0
// Walks in execution order.
#include "gpu/legalize/order.h"

#include <cstddef>

#include "base/status.h"
#include "gpu/desc/reason.h"

namespace tern::gpu {

std::vector<bool> FindOverwritten(const Graph& graph) {
  std::vector<bool> has_value(graph.tensors.size());
  for (size_t i = 0; i < has_value.size(); ++i) has_value[i] = graph.tensors[i].variable;
  std::vector<bool> overwritten(has_value.size());
  const auto exists = [&](TensorId id) {
    return id >= 0 && static_cast<size_t>(id) < has_value.size();
  };
  for (const Node& node : graph.nodes) {
    for (const TensorId id : node.inputs) {
      if (exists(id)) has_value[id] = true;
    }
    for (const TensorId id : node.outputs) {
      if (!exists(id)) continue;
      if (has_value[id]) overwritten[id] = true;
      has_value[id] = true;
    }
  }
  return overwritten;
}

absl::Status CheckWrittenOnce(const Graph& graph, const std::vector<bool>& overwritten,
                              const Node& node) {
  for (const std::vector<TensorId>* ids : {&node.inputs, &node.outputs}) {
    for (const TensorId id : *ids) {
      if (id < 0 || !overwritten[static_cast<size_t>(id)]) continue;
      return Annotate(
          Unsupported("tensor '", graph.tensors[id].name, "' is written more than once"),
          {Reason::kWrittenTwice, id});
    }
  }
  return absl::OkStatus();
}

absl::Status CheckOrder(const CalledGraph& graph) {
  std::vector<bool> has_value(graph.tensors.size());
  for (size_t i = 0; i < has_value.size(); ++i) has_value[i] = graph.tensors[i].is_constant();
  for (const int id : graph.inputs) has_value[id] = true;
  for (const Node& node : graph.nodes) {
    for (const int id : node.inputs) {
      if (id >= 0 && !has_value[id]) {
        return Unsupported("tensor '", graph.tensors[id].name, "' is read before it is written");
      }
    }
    for (const int id : node.outputs) {
      if (has_value[id]) {
        return Unsupported("tensor '", graph.tensors[id].name, "' is written more than once");
      }
      has_value[id] = true;
    }
  }
  for (const int id : graph.outputs) {
    if (!has_value[id]) return Unsupported("output '", graph.tensors[id].name, "' has no value");
  }
  return absl::OkStatus();
}

}  // namespace tern::gpu
