// SPDX-License-Identifier: Apache-2.0
// An operation that takes INT64 is lowered for either half: it moves a half, or computes it from
// both halves. Other operations give 32 bits; their signs are the high halves.
#include <algorithm>
#include <set>
#include <utility>

#include "base/str_cat.h"
#include "gpu/legalize/legalize.h"
#include "gpu/lower/lower_graph.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

bool IsInt64(const Graph& graph, TensorId id) {
  return id >= 0 && graph.tensors[id].type == kTfLiteInt64;
}

// From here on the tensor has the low half.
void AddHighHalf(Graph& graph, TensorId id) {
  if (!IsInt64(graph, id) || graph.tensors[id].high >= 0) return;
  GraphTensor high = graph.tensors[id];
  high.name = StrCat(high.name, " (high words)");
  high.low = id;
  graph.tensors[id].high = static_cast<TensorId>(graph.tensors.size());
  graph.tensors.push_back(std::move(high));
}

Node SignsOf(const Graph& graph, const Node& of, TensorId low) {
  Node node;
  node.index = of.index;
  node.internal = InternalOp::kSignExtend;
  node.op = "CAST";
  node.inputs = {low};
  node.outputs = {graph.tensors[low].high};
  node.int64_half = 1;
  return node;
}

bool TakesInt64(const Graph& graph, const Node& node) {
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](TensorId id) { return IsInt64(graph, id); });
}

// Removes the producers of unread high halves, such as those of indices. Goes backwards, so that a
// tensor that only such nodes read counts as unread.
void DropUnread(Graph& graph, const PassContext& context) {
  std::set<TensorId> read;
  const auto is_read = [&](TensorId id) {
    return id >= 0 && (read.count(id) != 0 || graph.IsOutput(id));
  };
  std::vector<bool> drops(graph.nodes.size());
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    drops[n] =
        node.int64_half == 1 && std::none_of(node.outputs.begin(), node.outputs.end(), is_read);
    if (drops[n] || !TakesInt64(graph, node)) continue;
    auto bound = BoundTensors(graph, node, context.table, context.device, context.tuning);
    if (!bound) return;  // the lowering will say why
    read.merge(*bound);
  }
  std::vector<Node> kept;
  for (size_t n = 0; n < drops.size(); ++n)
    if (!drops[n]) kept.push_back(std::move(graph.nodes[n]));
  graph.nodes = std::move(kept);
}

// Returns the nodes that take the place of one node.
std::vector<Node> SplitNode(const Graph& graph, const Node& node, const TraitsTable& traits) {
  const OpTraits* op = traits.Find(node);
  const bool by_halves = graph.IsConstant(node) || (op != nullptr && (op->types & kInt64s) != 0);
  std::vector<Node> words = {node};
  Node high = node;
  high.int64_half = 1;
  for (TensorId& id : high.outputs) {
    if (!IsInt64(graph, id)) continue;
    if (!by_halves) words.push_back(SignsOf(graph, node, id));
    id = graph.tensors[id].high;
  }
  if (by_halves && high.outputs != node.outputs) words.push_back(std::move(high));
  return words;
}

}  // namespace

absl::Status SplitInt64(Graph& graph, const PassContext& context) {
  const auto count = static_cast<TensorId>(graph.tensors.size());
  for (TensorId id = 0; id < count; ++id) AddHighHalf(graph, id);
  for (const Node& node : std::exchange(graph.nodes, {})) {
    for (Node& word : SplitNode(graph, node, context.table)) graph.nodes.push_back(std::move(word));
  }
  DropUnread(graph, context);
  return absl::OkStatus();
}

}  // namespace tern::gpu
