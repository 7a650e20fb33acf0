// SPDX-License-Identifier: Apache-2.0
// Adding up the times of nodes.
#include "cli/reports/node_times.h"

#include "cli/engine/timing.h"

namespace tern::cli {
namespace {

constexpr uint32_t kNotANode = 0;

}  // namespace

uint32_t NodeTimes::BeginEvent(const char* tag, EventType event_type, int64_t node,
                               int64_t subgraph) {
  if (event_type != EventType::OPERATOR_INVOKE_EVENT) return kNotANode;
  Node& entry = nodes_[{subgraph, node}];
  if (entry.op.empty() && tag != nullptr) entry.op = tag;
  open_.push_back({&entry, now_()});
  return static_cast<uint32_t>(open_.size());
}

void NodeTimes::EndEvent(uint32_t event_handle) {
  if (event_handle == kNotANode || event_handle != open_.size()) return;
  const Open ended = open_.back();
  open_.pop_back();
  const double ms = std::chrono::duration<double, std::milli>(now_() - ended.start).count();
  ended.node->run_ms += ms - ended.inner_ms;
  if (!open_.empty()) open_.back().inner_ms += ms;
}

void NodeTimes::EndRun() {
  for (auto& [place, node] : nodes_) {
    node.samples_ms.push_back(node.run_ms);
    node.run_ms = 0;
  }
}

std::vector<NodeTime> NodeTimes::Medians() const {
  std::vector<NodeTime> times;
  for (const auto& [place, node] : nodes_) {
    times.push_back({static_cast<int>(place.first), static_cast<int>(place.second), node.op,
                     Median(node.samples_ms)});
  }
  return times;
}

}  // namespace tern::cli
