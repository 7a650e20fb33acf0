// SPDX-License-Identifier: Apache-2.0
// A whole graph, or one node of it, through the lowering table.
#ifndef TERN_GPU_LOWER_LOWER_GRAPH_H_
#define TERN_GPU_LOWER_LOWER_GRAPH_H_

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/lower/lowering_table.h"

namespace tern::gpu {

// A node that does not lower.
struct RefusedNode {
  int node = -1;  // Node::index
  absl::Status status;
};

// Every node into dispatches. The first refusal is returned; all of them go to `refused`, if given.
absl::StatusOr<Lowered> LowerGraph(const Graph& graph, const LoweringTable& table,
                                   const DeviceInfo& device, const Tuning& tuning,
                                   const Storage& storage,
                                   std::vector<RefusedNode>* refused = nullptr);

// Whether the node, alone, would lower; the status says why not. `words` are the nodes that stand
// for it once INT64 is split.
absl::StatusOr<Lowered> LowerNodeDry(const Graph& graph, const Node& node,
                                     std::span<const Node> words, const LoweringTable& table,
                                     const DeviceInfo& device, const Tuning& tuning,
                                     const Storage& storage);

// The tensors that the node, alone, binds; nullopt where it does not lower.
std::optional<std::set<TensorId>> BoundTensors(const Graph& graph, const Node& node,
                                               const LoweringTable& table, const DeviceInfo& device,
                                               const Tuning& tuning);

// Whether the node, alone, lowers to dispatches that bind no more buffers than the device has for
// one. Weights that may lie packed do so only where there is room.
bool FitsBuffers(const Graph& graph, const Node& node, const LoweringTable& table,
                 const DeviceInfo& device, const Tuning& tuning);

}  // namespace tern::gpu

#endif  // TERN_GPU_LOWER_LOWER_GRAPH_H_
