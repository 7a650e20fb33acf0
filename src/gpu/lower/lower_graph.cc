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

// One of TypeSet, or 0.
unsigned SetOf(TfLiteType type) {
  switch (type) {
    case kTfLiteFloat32:
      return kFloats;
    case kTfLiteInt32:
      return kInts;
    case kTfLiteInt64:
      return kLongs;
    case kTfLiteBool:
      return kBools;
    default:
      return 0;
  }
}

// Only before passes: a fused node writes what its last step makes.
absl::Status CheckTypes(const Graph& graph, const Node& node, const LoweringTable& table,
                        const Lowering& lower) {
  const OpTraits* traits = table.Find(node);
  for (const std::vector<TensorId>* ids : {&node.inputs, &node.outputs}) {
    for (const TensorId id : *ids) {
      if (id < 0 || graph.tensors[id].is_constant()) continue;
      const GraphTensor& tensor = graph.tensors[id];
      if (traits != nullptr && (SetOf(tensor.type) & traits->types) == 0) {
        return lower.Unsupported(
            node, StrCat("tensor '", tensor.name, "' has type ", TfLiteTypeGetName(tensor.type)));
      }
    }
  }
  return absl::OkStatus();
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
  TERN_RETURN_IF_ERROR(CheckTypes(graph, node, table, lower));
  TERN_RETURN_IF_ERROR(LowerNode(node, table, lower));
  return lower.Take();
}

}  // namespace tern::gpu
