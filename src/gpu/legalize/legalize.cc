// SPDX-License-Identifier: Apache-2.0
// The order of the rewrites.
#include "gpu/legalize/legalize.h"

#include "base/status.h"
#include "gpu/legalize/loops.h"
#include "gpu/legalize/states.h"

namespace tern::gpu {

absl::StatusOr<std::vector<TensorId>> Expand(Graph& graph, const TraitsTable& traits) {
  TERN_RETURN_IF_ERROR(UnrollLoops(graph));
  return AddStates(graph, traits);
}

absl::Status Legalize(Graph& graph, const PassContext& context) {
  TERN_RETURN_IF_ERROR(CheckTypes(graph, context));
  TERN_RETURN_IF_ERROR(RequantizeSums(graph, context));
  TERN_RETURN_IF_ERROR(RoundMultipliers(graph, context));
  TERN_RETURN_IF_ERROR(AlignElements(graph, context));
  TERN_RETURN_IF_ERROR(CheckAligned(graph, context));
  TERN_RETURN_IF_ERROR(QuantizeValues(graph, context));
  return SplitInt64(graph, context);
}

}  // namespace tern::gpu
