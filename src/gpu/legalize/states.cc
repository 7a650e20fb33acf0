// SPDX-License-Identifier: Apache-2.0
// Which nodes have states, and their outputs.
#include "gpu/legalize/states.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "gpu/desc/reason.h"

namespace tern::gpu {

std::vector<TensorId> StatesOf(const TraitsTable& traits, const Node& node) {
  std::vector<TensorId> tensors;
  const OpTraits* own = traits.Find(node);
  if (own == nullptr) return tensors;
  for (const int input : own->states(node)) {
    const TensorId id = node.inputs[static_cast<size_t>(input)];
    if (id >= 0) tensors.push_back(id);
  }
  return tensors;
}

std::vector<std::string> FindReplacing(const Graph& graph, const TraitsTable& traits) {
  std::vector<std::string> replacing(graph.tensors.size());
  for (const Node& node : graph.nodes) {
    const bool known = traits.Find(node) != nullptr;
    for (const TensorId id : known ? StatesOf(traits, node) : node.inputs) {
      const bool exists = id >= 0 && static_cast<size_t>(id) < replacing.size();
      if (exists && graph.tensors[id].variable && replacing[id].empty())
        replacing[id] = Label(node);
    }
  }
  return replacing;
}

absl::Status CheckVariables(const Graph& graph, const TraitsTable& traits,
                            const std::vector<std::string>& replacing, const Node& node) {
  const std::vector<TensorId> own = StatesOf(traits, node);
  for (const TensorId id : node.inputs) {
    const bool exists = id >= 0 && static_cast<size_t>(id) < replacing.size();
    if (!exists || replacing[id].empty()) continue;
    if (std::find(own.begin(), own.end(), id) != own.end()) continue;
    return Annotate(Unsupported("tensor '", graph.tensors[id].name, "' is a variable that ",
                                replacing[id], " may replace"),
                    {Reason::kState, id});
  }
  return absl::OkStatus();
}

absl::Status CheckStates(const Graph& graph, const Uses& uses, const TraitsTable& traits,
                         const Node& node) {
  const std::vector<TensorId> states = StatesOf(traits, node);
  const auto is_variable = [&](TensorId id) { return graph.tensors[id].variable; };
  if (std::none_of(states.begin(), states.end(), is_variable)) return absl::OkStatus();
  if (!std::all_of(states.begin(), states.end(), is_variable)) {
    return Annotate(Unsupported(Label(node), ": only some of the states are variables"),
                    {Reason::kState});
  }
  for (const TensorId id : states) {
    const bool alone = uses.ReadersOf(id) == std::vector<int>{node.index};
    if (alone && std::count(node.inputs.begin(), node.inputs.end(), id) == 1) continue;
    return Annotate(Unsupported(Label(node), ": its state is used in a second place"),
                    {Reason::kState, id});
  }
  return absl::OkStatus();
}

std::vector<TensorId> AddStates(Graph& graph, const TraitsTable& traits) {
  std::vector<TensorId> variables;
  for (Node& node : graph.nodes) {
    for (const TensorId state : StatesOf(traits, node)) {
      if (!graph.tensors[state].variable) continue;
      GraphTensor next = graph.tensors[state];
      next.name += " next";
      next.variable = false;
      const auto id = static_cast<TensorId>(graph.tensors.size());
      graph.tensors.push_back(std::move(next));
      node.outputs.push_back(id);
      graph.outputs.push_back(id);
      variables.push_back(state);
    }
  }
  return variables;
}

}  // namespace tern::gpu
