// SPDX-License-Identifier: Apache-2.0
// The order of the rewrites.
#include "gpu/fuse/fuse.h"

#include "base/status.h"

namespace tern::gpu {

absl::Status Fuse(Graph& graph, const PassContext& context, bool merge) {
  // Fusion before aliases: it looks for direct producers, which those would hide. A padding is only
  // its reader's as long as nothing else was fused into it.
  if (merge) {
    TERN_RETURN_IF_ERROR(FusePadding(graph, context));
    TERN_RETURN_IF_ERROR(FuseElementwise(graph, context));
  }
  TERN_RETURN_IF_ERROR(AliasReshapes(graph, context));
  if (!merge) return absl::OkStatus();
  // Reshapes that are copies are left.
  TERN_RETURN_IF_ERROR(FuseReshapes(graph, context));
  return PlaceOperands(graph, context);
}

}  // namespace tern::gpu
