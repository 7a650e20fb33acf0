// SPDX-License-Identifier: Apache-2.0
// Which nodes of a graph may be compiled for the GPU. Compiling them tells which it runs.
#ifndef TERN_DELEGATE_SUPPORTED_NODES_H_
#define TERN_DELEGATE_SUPPORTED_NODES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "delegate/snapshot.h"
#include "gpu/desc/reason.h"
#include "gpu/lower/lowering_table.h"
#include "gpu/partition/node_lists.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

struct Refusal {
  int node = -1;
  int builtin_code = -1;
  std::string op;
  std::string reason;
  bool failed = false;  // it was to run on the GPU, but its program or its memory could not be made
  RefusalReason refusal_reason = {};
};

// A reason without the label of the node in front: it is listed beside the node's name and number.
std::string WithoutLabel(std::string_view reason, const gpu::Node& node);

// The refusal reason of an error; without one the code of the status decides.
RefusalReason ReasonOfRefusal(const absl::Status& status);
// The same of an error about a node. Where it names no tensor, that is the one that the node
// computes with, if it is one.
RefusalReason ReasonOfRefusal(const absl::Status& status, const Snapshot& snapshot,
                              const gpu::Node& node);

struct NodeSupport {
  std::vector<int> supported;    // in execution order
  std::vector<Refusal> refused;  // in execution order
  int total() const { return static_cast<int>(supported.size() + refused.size()); }
};

// Nodes whose operation has a GPU form, whose tensors can live there, and whose states and order a
// plan can keep; no node that `lists` deny.
NodeSupport FindCandidates(const Snapshot& snapshot, const gpu::LoweringTable& table,
                           const gpu::NodeLists& lists = {});

// The documented message about nodes that stay on the CPU: one line per distinct reason, then how
// many nodes run where. Empty when nothing was refused.
std::string RefusalText(const std::vector<Refusal>& refused, int delegated, int total);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_SUPPORTED_NODES_H_
