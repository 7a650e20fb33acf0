// SPDX-License-Identifier: Apache-2.0
// Which nodes have states, and their outputs.
#include "delegate/states.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "gpu/desc/reason.h"

namespace tern::delegate {

std::vector<int> StatesOf(const gpu::TraitsTable& traits, const gpu::Node& node) {
  std::vector<int> tensors;
  const gpu::OpTraits* own = traits.Find(node);
  if (own == nullptr) return tensors;
  for (const int input : own->states(node)) {
    const int id = node.inputs[static_cast<size_t>(input)];
    if (id >= 0) tensors.push_back(id);
  }
  return tensors;
}

std::vector<std::string> FindReplacing(const Snapshot& snapshot, const gpu::TraitsTable& traits) {
  const TfLiteContext& context = *snapshot.context();
  std::vector<std::string> replacing(context.tensors_size);
  for (const gpu::Node& node : snapshot.nodes()) {
    const bool known = traits.Find(node) != nullptr;
    for (const int id : known ? StatesOf(traits, node) : node.inputs) {
      const bool exists = id >= 0 && static_cast<size_t>(id) < replacing.size();
      if (exists && context.tensors[id].is_variable && replacing[id].empty())
        replacing[id] = gpu::Label(node);
    }
  }
  return replacing;
}

absl::Status CheckVariables(const std::vector<gpu::GraphTensor>& tensors,
                            const gpu::TraitsTable& traits,
                            const std::vector<std::string>& replacing, const gpu::Node& node) {
  const std::vector<int> own = StatesOf(traits, node);
  for (const int id : node.inputs) {
    const bool exists = id >= 0 && static_cast<size_t>(id) < replacing.size();
    if (!exists || replacing[id].empty()) continue;
    if (std::find(own.begin(), own.end(), id) != own.end()) continue;
    return Because(Unsupported("tensor '", tensors[static_cast<size_t>(id)].name,
                               "' is a variable that ", replacing[id], " may replace"),
                   {Reason::kState, id});
  }
  return absl::OkStatus();
}

absl::Status CheckStates(const Snapshot& snapshot, const gpu::TraitsTable& traits,
                         const gpu::Node& node) {
  const std::vector<int> states = StatesOf(traits, node);
  const TfLiteTensor* tensors = snapshot.context()->tensors;
  const auto is_variable = [&](int id) { return tensors[id].is_variable; };
  if (std::none_of(states.begin(), states.end(), is_variable)) return absl::OkStatus();
  if (!std::all_of(states.begin(), states.end(), is_variable)) {
    return Because(Unsupported(gpu::Label(node), ": only some of the states are variables"),
                   {Reason::kState});
  }
  for (const int id : states) {
    const bool alone = snapshot.uses().ReadersOf(id) == std::vector<int>{node.index};
    if (alone && std::count(node.inputs.begin(), node.inputs.end(), id) == 1) continue;
    return Because(Unsupported(gpu::Label(node), ": its state is used in a second place"),
                   {Reason::kState, id});
  }
  return absl::OkStatus();
}

std::vector<int> AddStates(const TfLiteContext& context, const gpu::TraitsTable& traits,
                           gpu::Graph* graph) {
  std::vector<int> variables;
  for (gpu::Node& node : graph->nodes) {
    for (const int state : StatesOf(traits, node)) {
      if (!context.tensors[state].is_variable) continue;
      gpu::GraphTensor next = graph->tensors[static_cast<size_t>(state)];
      next.name += " next";
      const auto id = static_cast<int>(graph->tensors.size());
      graph->tensors.push_back(std::move(next));
      node.outputs.push_back(id);
      graph->outputs.push_back(id);
      variables.push_back(state);
    }
  }
  return variables;
}

}  // namespace tern::delegate
