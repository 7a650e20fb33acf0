// SPDX-License-Identifier: Apache-2.0
// An operation that takes INT64 is lowered for either word: it moves them, or it makes one from
// both of its operands. Any other makes numbers that fit 32 bits, and their signs are the high
// words.
#include <algorithm>
#include <set>
#include <utility>

#include "base/str_cat.h"
#include "gpu/legalize/legalize.h"
#include "gpu/lower/lower_graph.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

bool IsLong(const Graph& graph, TensorId id) {
  return id >= 0 && graph.tensors[id].type == kTfLiteInt64;
}

// From here on the tensor has the low words.
void AddHighWords(Graph& graph, TensorId id) {
  if (!IsLong(graph, id) || graph.tensors[id].high >= 0) return;
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
  node.word = 1;
  return node;
}

bool TakesLongs(const Graph& graph, const Node& node) {
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](TensorId id) { return IsLong(graph, id); });
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
    drops[n] = node.word == 1 && std::none_of(node.outputs.begin(), node.outputs.end(), is_read);
    if (drops[n] || !TakesLongs(graph, node)) continue;
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
  const bool by_words = graph.IsKnown(node) || (op != nullptr && (op->types & kInt64s) != 0);
  std::vector<Node> words = {node};
  Node high = node;
  high.word = 1;
  for (TensorId& id : high.outputs) {
    if (!IsLong(graph, id)) continue;
    if (!by_words) words.push_back(SignsOf(graph, node, id));
    id = graph.tensors[id].high;
  }
  if (by_words && high.outputs != node.outputs) words.push_back(std::move(high));
  return words;
}

}  // namespace

absl::Status SplitLongs(Graph& graph, const PassContext& context) {
  const auto count = static_cast<TensorId>(graph.tensors.size());
  for (TensorId id = 0; id < count; ++id) AddHighWords(graph, id);
  for (const Node& node : std::exchange(graph.nodes, {})) {
    for (Node& word : SplitNode(graph, node, context.table)) graph.nodes.push_back(std::move(word));
  }
  DropUnread(graph, context);
  return absl::OkStatus();
}

}  // namespace tern::gpu
