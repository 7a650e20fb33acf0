// SPDX-License-Identifier: Apache-2.0
// The order of the rewrites.
#include "gpu/legalize/legalize.h"

#include <memory>

#include "base/status.h"
#include "gpu/legalize/loops.h"
#include "gpu/legalize/states.h"

namespace tern::gpu {

absl::StatusOr<std::vector<TensorId>> Expand(Graph& graph, const TraitsTable& traits) {
  TERN_RETURN_IF_ERROR(UnrollLoops(graph));
  return AddStates(graph, traits);
}

void SetRules(Graph& graph, const TraitsTable& table) {
  for (Node& node : graph.nodes) {
    if (const OpTraits* const traits = table.Find(node))
      node.rule = std::make_shared<ElementRule>(traits->elements(graph, node));
  }
}

absl::Status Legalize(Graph& graph, const PassContext& context) {
  TERN_RETURN_IF_ERROR(CheckTypes(graph, context));
  SetRules(graph, context.table);
  RequantizeSums(graph);
  RoundMultipliers(graph);
  AlignElements(graph);
  TERN_RETURN_IF_ERROR(CheckAligned(graph, context));
  QuantizeValues(graph, context.device);
  SplitInt64(graph, context.table);
  return absl::OkStatus();
}

}  // namespace tern::gpu
