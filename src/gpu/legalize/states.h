// SPDX-License-Identifier: Apache-2.0
// Variables on the GPU: a node that keeps its state in variables reads them like inputs. For each
// of them it gets a further output for the new value, which is copied into the variable after a
// run.
#ifndef TERN_GPU_LEGALIZE_STATES_H_
#define TERN_GPU_LEGALIZE_STATES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gpu/graph/graph.h"
#include "gpu/graph/op_traits.h"
#include "gpu/graph/uses.h"

namespace tern::gpu {

// The inputs that the node replaces at each run, as far as they are there.
std::vector<TensorId> StatesOf(const TraitsTable& traits, const Node& node);

// By tensor: the label of the first node that may give a variable another value, empty where none
// does. The GPU knows which operands its operations replace, and nothing of others.
std::vector<std::string> FindReplacing(const Graph& graph, const TraitsTable& traits);

// An error when the node reads a variable that another may replace: which value it would see
// depends on who runs first. A variable that no node replaces is an input like others, in memory
// that the application may write.
absl::Status CheckVariables(const Graph& graph, const TraitsTable& traits,
                            const std::vector<std::string>& replacing, const Node& node);

// An error when only some of the node's states are variables, and when another node uses one of
// these: it might want the value in between.
absl::Status CheckStates(const Graph& graph, const Uses& uses, const TraitsTable& traits,
                         const Node& node);

// Appends an output to each node for each of its states, a new tensor of the graph that is one of
// the graph's outputs. Returns the variables in this order. CheckStates has passed the nodes.
std::vector<TensorId> AddStates(Graph& graph, const TraitsTable& traits);

}  // namespace tern::gpu

#endif  // TERN_GPU_LEGALIZE_STATES_H_
