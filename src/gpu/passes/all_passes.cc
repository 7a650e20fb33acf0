// SPDX-License-Identifier: Apache-2.0
// The order of the passes.
#include "base/status.h"
#include "gpu/passes/pass.h"

namespace tern::gpu {

absl::Status RunPasses(Graph& graph, const PassContext& context, bool fuse) {
  TERN_RETURN_IF_ERROR(CheckTypes(graph, context));
  TERN_RETURN_IF_ERROR(RequantizeSums(graph, context));
  TERN_RETURN_IF_ERROR(RoundMultipliers(graph, context));
  TERN_RETURN_IF_ERROR(AlignElements(graph, context));
  TERN_RETURN_IF_ERROR(CheckAligned(graph, context));
  TERN_RETURN_IF_ERROR(QuantizeValues(graph, context));
  TERN_RETURN_IF_ERROR(SplitLongs(graph, context));
  // Fusion before aliases: it looks for direct producers, which those would hide. A padding is only
  // its reader's as long as nothing else was fused into it.
  if (fuse) {
    TERN_RETURN_IF_ERROR(FusePadding(graph, context));
    TERN_RETURN_IF_ERROR(FuseElementwise(graph, context));
  }
  TERN_RETURN_IF_ERROR(AliasReshapes(graph, context));
  // Those that are copies are left.
  return fuse ? FuseReshapes(graph, context) : absl::OkStatus();
}

}  // namespace tern::gpu
