// SPDX-License-Identifier: Apache-2.0
// Walks over the nodes of a partition, or over all others.
#include "gpu/partition/cut.h"

#include <algorithm>
#include <iterator>

#include "gpu/partition/node_cost.h"
#include "gpu/partition/partition_gain.h"

namespace tern::gpu {
namespace {

// Of one tensor, so that sums of them fit.
constexpr int64_t kMaxCutBytes = int64_t{1} << 40;

class NodeSet {
 public:
  explicit NodeSet(const std::vector<int>& nodes) : own_(nodes.begin(), nodes.end()) {}
  bool Has(int node) const { return own_.count(node) != 0; }
  bool HasAll(const std::vector<int>& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [this](int node) { return Has(node); });
  }

 private:
  std::set<int> own_;
};

}  // namespace

Partition PartitionOf(const Graph& graph, const Uses& uses, const std::vector<int>& nodes) {
  const NodeSet own(nodes);
  Partition all{nodes, {}, {}};
  std::set<TensorId> inputs;
  for (const Node& node : graph.nodes) {
    if (!own.Has(node.index)) continue;
    for (const TensorId id : node.inputs) {
      if (id >= 0 && !own.Has(uses.WriterOf(id)) && inputs.insert(id).second)
        all.inputs.push_back(id);
    }
    for (const TensorId id : node.outputs) {
      const std::vector<int>& readers = uses.ReadersOf(id);
      if (id >= 0 && (readers.empty() || !own.HasAll(readers))) all.outputs.push_back(id);
    }
  }
  return all;
}

Graph GraphOf(const Graph& graph, const Partition& partition) {
  const NodeSet own(partition.nodes);
  Graph part;
  part.tensors = graph.tensors;
  part.called = graph.called;
  std::copy_if(graph.nodes.begin(), graph.nodes.end(), std::back_inserter(part.nodes),
               [&](const Node& node) { return own.Has(node.index); });
  std::copy_if(partition.inputs.begin(), partition.inputs.end(), std::back_inserter(part.inputs),
               [&](TensorId id) { return id >= 0 && !graph.tensors[id].is_constant(); });
  part.outputs = partition.outputs;
  return part;
}

int64_t GainOf(const Graph& graph, const Partition& partition) {
  const NodeSet own(partition.nodes);
  PartitionCost cost;
  for (const Node& node : graph.nodes) {
    if (own.Has(node.index) && !graph.IsConstant(node))
      cost.nodes.push_back(EstimateCost(graph, node));
  }
  for (const std::vector<TensorId>* ids : {&partition.inputs, &partition.outputs}) {
    for (const TensorId id : *ids) {
      const GraphTensor& tensor = graph.tensors[id];
      if (!tensor.is_constant()) cost.cut_bytes += std::min(TensorBytes(tensor), kMaxCutBytes);
    }
  }
  return EstimateGain(cost);
}

std::vector<int> NodesForOthers(const Graph& graph, const Uses& uses, const Partition& partition) {
  const NodeSet own(partition.nodes);
  const std::set<TensorId> outputs(partition.outputs.begin(), partition.outputs.end());
  const auto has_other_reader = [&](TensorId id) {
    return outputs.count(id) != 0 && graph.tensors[id].is_constant() &&
           !own.HasAll(uses.ReadersOf(id));
  };
  std::vector<int> nodes;
  for (const Node& node : graph.nodes) {
    if (own.Has(node.index) &&
        std::any_of(node.outputs.begin(), node.outputs.end(), has_other_reader)) {
      nodes.push_back(node.index);
    }
  }
  return nodes;
}

std::set<TensorId> TensorsOfOthers(const Graph& graph, const Partition& partition) {
  const NodeSet own(partition.nodes);
  std::set<TensorId> ids;
  for (const Node& node : graph.nodes) {
    if (own.Has(node.index)) continue;
    ids.insert(node.inputs.begin(), node.inputs.end());
    ids.insert(node.outputs.begin(), node.outputs.end());
  }
  return ids;
}

}  // namespace tern::gpu
