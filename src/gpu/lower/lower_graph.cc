// SPDX-License-Identifier: Apache-2.0
// The loop over nodes.
#include "gpu/lower/lower_graph.h"

#include "base/status.h"

namespace tern::gpu {
namespace {

absl::Status LowerNode(const Node& node, const LoweringTable& table, Lowering& lower) {
  const LowerFunction function = table.FindLowering(node);
  if (function == nullptr) return lower.Unsupported(node, "this operation has no GPU form");
  return function(node, lower);
}

}  // namespace

absl::StatusOr<Lowered> LowerGraph(const Graph& graph, const LoweringTable& table,
                                   const DeviceInfo& device, const Tuning& tuning,
                                   Precision precision) {
  Lowering lower(graph, device, tuning, precision, /*dry_run=*/false);
  for (const Node& node : graph.nodes) TERN_RETURN_IF_ERROR(LowerNode(node, table, lower));
  return lower.TakeWithEdges();
}

absl::StatusOr<Lowered> LowerNodeDry(const Graph& graph, const Node& node,
                                     const LoweringTable& table, const DeviceInfo& device,
                                     const Tuning& tuning, Precision precision) {
  Lowering lower(graph, device, tuning, precision, /*dry_run=*/true);
  TERN_RETURN_IF_ERROR(LowerNode(node, table, lower));
  return lower.Take();
}

}  // namespace tern::gpu
