// SPDX-License-Identifier: Apache-2.0
// Which nodes of a graph the GPU can run: those that lower, in a dry run on the chosen device.
#ifndef TERN_DELEGATE_SUPPORTED_NODES_H_
#define TERN_DELEGATE_SUPPORTED_NODES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "delegate/node_lists.h"
#include "delegate/snapshot.h"
#include "gpu/compile.h"
#include "gpu/desc/reason.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

struct Refusal {
  int node = -1;
  int builtin_code = -1;
  std::string op;
  std::string reason;
  bool failed = false;  // it was to run on the GPU, but its program or its memory could not be made
  Cause cause = {};
};

// A reason without the label of the node in front: it is listed beside the node's name and number.
std::string WithoutLabel(std::string_view reason, const gpu::Node& node);

// The cause of an error; where the status has none, its code tells.
Cause CauseOfRefusal(const absl::Status& status);

struct NodeSupport {
  std::vector<int> supported;    // in execution order
  std::vector<Refusal> refused;  // likewise
  absl::Status limit;            // the first refusal that is only about limits of the device
  int total() const { return static_cast<int>(supported.size() + refused.size()); }
};

// Those that `lists` deny are not tried.
NodeSupport FindSupportedNodes(const Snapshot& snapshot, const gpu::DeviceInfo& device,
                               const gpu::LoweringTable& table, const gpu::CompileOptions& options,
                               const NodeLists& lists = {});

// The documented message about nodes that stay on the CPU: one line per distinct reason, then how
// many nodes run where. Empty when nothing was refused.
std::string RefusalText(const std::vector<Refusal>& refused, int delegated, int total);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_SUPPORTED_NODES_H_
