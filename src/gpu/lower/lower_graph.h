// SPDX-License-Identifier: Apache-2.0
// A whole graph through the lowering table.
#ifndef TERN_GPU_LOWER_LOWER_GRAPH_H_
#define TERN_GPU_LOWER_LOWER_GRAPH_H_

#include <compare>
#include <set>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/lower/lowering_table.h"

namespace tern::gpu {

// A node that does not lower.
struct RefusedNode {
  int node = -1;  // Node::index
  absl::Status status;
};

// A node whose ops went into the epilogue of another.
struct Merge {
  int into = -1, node = -1;  // Node::index
  friend auto operator<=>(const Merge&, const Merge&) = default;
};

// Why a graph does not lower.
struct LowerNotes {
  std::vector<RefusedNode> refused;
  // Nodes with an epilogue that do not lower, or that bind more buffers than the device has for one
  // dispatch, by the last merge. Apart they may fit.
  std::set<Merge> too_much;
};

// Turns every node into dispatches, each once. The first refusal is returned; `notes` gets all.
absl::StatusOr<Lowered> LowerGraph(const Graph& graph, const LoweringTable& table,
                                   const DeviceInfo& device, const Tuning& tuning,
                                   const Storage& storage, LowerNotes* notes);

}  // namespace tern::gpu

#endif  // TERN_GPU_LOWER_LOWER_GRAPH_H_
