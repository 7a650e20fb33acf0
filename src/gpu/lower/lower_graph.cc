// SPDX-License-Identifier: Apache-2.0
// The loop over nodes.
#include "gpu/lower/lower_graph.h"

#include <algorithm>
#include <cstddef>

#include "base/status.h"

namespace tern::gpu {
namespace {

// Readers of a constant node's outputs see constants: only the graph's own outputs are written.
absl::Status LowerConstant(const Node& node, const LoweringTable& table, Lowering& lower) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!lower.graph().IsOutput(node.outputs[i])) continue;
    TERN_RETURN_IF_ERROR(table.WriteConstant(node, static_cast<int>(i), lower));
  }
  return absl::OkStatus();
}

absl::Status LowerNode(const Node& node, const LoweringTable& table, Lowering& lower) {
  lower.Begin(node);
  if (lower.graph().IsConstant(node)) return LowerConstant(node, table, lower);
  const LowerFunction function = table.FindLowering(node);
  if (function == nullptr)
    return lower.Unsupported(node, "this operation has no GPU form", {Reason::kNoGpuForm});
  return function(node, lower);
}

// Whether the dispatches from `first` on have buffers enough.
bool FitsBuffers(const std::vector<Dispatch>& dispatches, size_t first, const DeviceInfo& device) {
  return std::all_of(dispatches.begin() + static_cast<std::ptrdiff_t>(first), dispatches.end(),
                     [&](const Dispatch& one) {
                       return static_cast<int>(one.bindings.size()) <= device.max_buffers;
                     });
}

}  // namespace

absl::StatusOr<Lowered> LowerGraph(const Graph& graph, const LoweringTable& table,
                                   const DeviceInfo& device, const Tuning& tuning,
                                   const Storage& storage, LowerNotes* notes) {
  Lowering lower(graph, device, tuning, storage);
  absl::Status first;
  for (const Node& node : graph.nodes) {
    const size_t before = lower.dispatches().size();
    const absl::Status status = LowerNode(node, table, lower);
    if (node.merged >= 0 && !(status.ok() && FitsBuffers(lower.dispatches(), before, device)))
      notes->too_much.insert({node.index, node.merged});
    if (status.ok()) continue;
    notes->refused.push_back({node.index, status});
    first.Update(status);
  }
  TERN_RETURN_IF_ERROR(first);
  return lower.TakeWithEdges();
}

}  // namespace tern::gpu
