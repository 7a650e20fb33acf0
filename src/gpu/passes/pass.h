// SPDX-License-Identifier: Apache-2.0
// Rewrites of a graph, each with one purpose. all_passes.cc is the order.
#ifndef TERN_GPU_PASSES_PASS_H_
#define TERN_GPU_PASSES_PASS_H_

#include <set>
#include <vector>

#include "absl/status/status.h"
#include "gpu/desc/device_info.h"
#include "gpu/graph/graph.h"
#include "gpu/graph/op_traits.h"
#include "gpu/lower/lower_graph.h"
#include "gpu/lower/lowering_table.h"

namespace tern::gpu {

struct PassContext {
  const DeviceInfo& device;
  const Tuning& tuning;
  const LoweringTable& table;
  std::set<Merge> apart = {};  // not to be tried
  // Nodes that a pass finds to have no GPU form. A graph with any is not passed on.
  std::vector<RefusedNode>* refused = nullptr;
};

// Refuses nodes of the model with tensors of types that their operation does not take.
absl::Status CheckTypes(const Graph& graph, const PassContext& context);
// Refuses nodes that move elements between tensors that stay quantized differently after
// AlignElements.
absl::Status CheckAligned(const Graph& graph, const PassContext& context);

// Finds the nodes whose sums of products are exact in whole numbers, and says how these become
// elements.
absl::Status RequantizeSums(Graph& graph, const PassContext& context);

// Gives filters of INT16 products scales that make the multipliers of the CPU.
absl::Status RoundMultipliers(Graph& graph, const PassContext& context);

// Gives all tensors of a data-movement node the quantization of its output.
absl::Status AlignElements(Graph& graph, const PassContext& context);

// Rounds what nodes write to quantized tensors and puts conversions at the edges of the graph.
absl::Status QuantizeValues(Graph& graph, const PassContext& context);

// Replaces every INT64 tensor by two tensors of ints, its low and high halves, and every node that
// makes INT64 by one for each half; unread high halves get none.
absl::Status SplitLongs(Graph& graph, const PassContext& context);

// Moves elementwise nodes into the write of the node before them, where that node is the only
// producer of a tensor that nobody else reads. Whether the two fit the device as one is known when
// they are lowered.
absl::Status FuseElementwise(Graph& graph, const PassContext& context);

// Drops nodes that put zeros around a tensor where all readers of the result can read zeros there
// instead.
absl::Status FusePadding(Graph& graph, const PassContext& context);

// Drops RESHAPE-like nodes whose output can share its input's memory.
absl::Status AliasReshapes(Graph& graph, const PassContext& context);

// Drops RESHAPE-like nodes that would be copies where the only reader of the result copies, too,
// and can find its elements in the input.
absl::Status FuseReshapes(Graph& graph, const PassContext& context);

// All of these, in the order of all_passes.cc. Without fusion only what correctness does not depend
// on is left out.
absl::Status RunPasses(Graph& graph, const PassContext& context, bool fuse);

}  // namespace tern::gpu

#endif  // TERN_GPU_PASSES_PASS_H_
