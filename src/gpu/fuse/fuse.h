// SPDX-License-Identifier: Apache-2.0
// Rewrites of a legal graph that save launches and memory. fuse.cc is the order.
#ifndef TERN_GPU_FUSE_FUSE_H_
#define TERN_GPU_FUSE_FUSE_H_

#include "absl/status/status.h"
#include "gpu/graph/graph.h"
#include "gpu/lower/pass_context.h"

namespace tern::gpu {

// Moves elementwise nodes into the write of the node before them, where that node is the only
// producer of a tensor that nobody else reads. Whether the two fit the device as one is known when
// they are lowered.
absl::Status FuseElementwise(Graph& graph, const PassContext& context);

// Drops nodes that put zeros around a tensor where all readers can read zeros there.
absl::Status FusePadding(Graph& graph, const PassContext& context);

// Drops RESHAPE-like nodes whose output can share its input's memory.
absl::Status AliasReshapes(Graph& graph, const PassContext& context);

// Drops RESHAPE-like nodes that would be copies where the only reader of the result copies, too,
// and can find its elements in the input.
absl::Status FuseReshapes(Graph& graph, const PassContext& context);

// Lets nodes write their results to the places in a tensor to which CONCATENATION would copy them,
// and drops the nodes that copy nothing then.
absl::Status PlaceOperands(Graph& graph, const PassContext& context);

// All of these. With `merge` false only views are dropped, which merge no nodes.
absl::Status Fuse(Graph& graph, const PassContext& context, bool merge);

}  // namespace tern::gpu

#endif  // TERN_GPU_FUSE_FUSE_H_
