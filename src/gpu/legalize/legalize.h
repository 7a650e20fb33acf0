// SPDX-License-Identifier: Apache-2.0
// Rewrites without which nodes do not lower to the CPU's numbers, each with one purpose.
// legalize.cc is the order.
#ifndef TERN_GPU_LEGALIZE_LEGALIZE_H_
#define TERN_GPU_LEGALIZE_LEGALIZE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/graph/graph.h"
#include "gpu/lower/pass_context.h"

namespace tern::gpu {

// Writes loops out and gives states outputs. Returns the variables that outputs after the graph's
// own are for, in this order. Nodes that come from one of the graph have its number.
absl::StatusOr<std::vector<TensorId>> Expand(Graph& graph, const TraitsTable& traits);

// All rewrites of an expanded graph.
absl::Status Legalize(Graph& graph, const PassContext& context);

// Refuses nodes without a first operand or output, and nodes with tensors of types that their
// operation does not take. Traits are asked about other nodes alone.
absl::Status CheckTypes(const Graph& graph, const PassContext& context);
// Refuses nodes that move elements between tensors that stay quantized differently after
// AlignElements.
absl::Status CheckAligned(const Graph& graph, const PassContext& context);

// Gives each node its rule for quantized results.
void SetRules(Graph& graph, const TraitsTable& table);

// Finds the nodes whose sums of products are exact integers, and says how these become elements.
void RequantizeSums(Graph& graph);

// Gives filters of INT16 products scales that make the multipliers of the CPU.
void RoundMultipliers(Graph& graph);

// Gives all tensors of a data-movement node the quantization of its output.
void AlignElements(Graph& graph);

// Rounds what nodes write to quantized tensors and puts conversions at the edges of the graph.
void QuantizeValues(Graph& graph, const DeviceInfo& device);

// Replaces every INT64 tensor by two tensors of ints, its low and high halves, and every node that
// makes INT64 by one for each half. High halves that nobody reads are not made.
void SplitInt64(Graph& graph, const TraitsTable& traits);

}  // namespace tern::gpu

#endif  // TERN_GPU_LEGALIZE_LEGALIZE_H_
