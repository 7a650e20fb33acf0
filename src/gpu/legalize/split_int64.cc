// SPDX-License-Identifier: Apache-2.0
// An operation that takes INT64 is lowered for either half: it moves a half, or computes it from
// both halves. Other operations give 32 bits; their signs are the high halves.
#include <algorithm>
#include <set>
#include <utility>

#include "base/str_cat.h"
#include "gpu/legalize/legalize.h"

namespace tern::gpu {
namespace {

bool IsInt64(const Graph& graph, TensorId id) {
  return id >= 0 && graph.tensors[id].type == kTfLiteInt64;
}

bool MakesHalves(const Graph& graph, const Node& node, const OpTraits* op) {
  return graph.IsConstant(node) || (op != nullptr && (op->types & kInt64s) != 0);
}

// The INT64 tensors whose high halves are read, and those at the edges of the graph. Goes
// backwards, so that a tensor that is only moved to where nobody reads its high half is none.
std::set<TensorId> ReadHighHalves(const Graph& graph, const TraitsTable& traits) {
  std::set<TensorId> read;
  const auto add = [&](TensorId id) {
    if (IsInt64(graph, id)) read.insert(id);
  };
  for (const std::vector<TensorId>* ids : {&graph.inputs, &graph.outputs})
    std::for_each(ids->begin(), ids->end(), add);
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const OpTraits* const op = traits.Find(*node);
    const bool joins = op != nullptr && op->joins_halves(graph, *node);
    const bool moves = MakesHalves(graph, *node, op) &&
                       std::any_of(node->outputs.begin(), node->outputs.end(),
                                   [&](TensorId id) { return read.count(id) != 0; });
    for (size_t i = 0; i < node->inputs.size(); ++i) {
      const TensorId id = node->inputs[i];
      const bool is_index = op != nullptr && op->indices == static_cast<int>(i);
      const bool is_number = op != nullptr && id >= 0 && op->takes_ints(graph, *node, id);
      if (joins || is_number || (moves && !is_index)) add(id);
    }
  }
  return read;
}

// From here on the tensor has the low half.
void AddHighHalf(Graph& graph, TensorId id) {
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

// Returns the nodes that take the place of one node.
std::vector<Node> SplitNode(const Graph& graph, const Node& node, const TraitsTable& traits) {
  const bool by_halves = MakesHalves(graph, node, traits.Find(node));
  std::vector<Node> words = {node};
  Node high = node;
  high.int64_half = 1;
  for (TensorId& id : high.outputs) {
    if (!IsInt64(graph, id) || graph.tensors[id].high < 0) continue;
    if (!by_halves) words.push_back(SignsOf(graph, node, id));
    id = graph.tensors[id].high;
  }
  if (by_halves && high.outputs != node.outputs) words.push_back(std::move(high));
  return words;
}

}  // namespace

void SplitInt64(Graph& graph, const TraitsTable& traits) {
  for (const TensorId id : ReadHighHalves(graph, traits)) AddHighHalf(graph, id);
  for (const Node& node : std::exchange(graph.nodes, {})) {
    for (Node& word : SplitNode(graph, node, traits)) graph.nodes.push_back(std::move(word));
  }
}

}  // namespace tern::gpu
