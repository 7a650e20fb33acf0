// SPDX-License-Identifier: Apache-2.0
// Collects operator times by node.
#include "tensorflow/lite/profiling/profile_summarizer.h"

#include <algorithm>

namespace tflite {
namespace profiling {
namespace {

// Names of the outputs of a node.
std::string OutputNames(const tflite::Interpreter& interpreter, int64_t subgraph, int64_t node) {
  std::string names;
  const auto* found =
      interpreter.node_and_registration(static_cast<int>(subgraph), static_cast<int>(node));
  if (found == nullptr || found->first.outputs == nullptr) {
    return names;
  }
  const tflite::Subgraph* graph = interpreter.subgraph(static_cast<int>(subgraph));
  for (int i = 0; i < found->first.outputs->size; ++i) {
    const TfLiteTensor* tensor = graph->tensor(found->first.outputs->data[i]);
    if (tensor != nullptr && tensor->name != nullptr) {
      names += (names.empty() ? "" : ", ") + std::string(tensor->name);
    }
  }
  return names;
}

}  // namespace

ProfileSummarizer::ProfileSummarizer(std::shared_ptr<ProfileSummaryFormatter> summary_formatter)
    : formatter_(summary_formatter != nullptr
                     ? std::move(summary_formatter)
                     : std::make_shared<ProfileSummaryDefaultFormatter>()) {}

void ProfileSummarizer::ProcessProfiles(const std::vector<const ProfileEvent*>& profile_stats,
                                        const tflite::Interpreter& interpreter) {
  bool has_nodes = false;
  for (const ProfileEvent* event : profile_stats) {
    const bool is_node = event->event_type == ProfileEvent::EventType::OPERATOR_INVOKE_EVENT;
    const bool is_delegate_node =
        event->event_type == ProfileEvent::EventType::DELEGATE_OPERATOR_INVOKE_EVENT ||
        event->event_type == ProfileEvent::EventType::DELEGATE_PROFILED_OPERATOR_INVOKE_EVENT;
    if (!is_node && !is_delegate_node) {
      continue;
    }
    has_nodes = true;
    auto& nodes = is_node ? nodes_ : delegate_nodes_;
    const std::pair<int64_t, int64_t> key(event->extra_event_metadata, event->event_metadata);
    const auto order = static_cast<int64_t>(nodes.size());
    NodeStats& stats = nodes[key];
    if (stats.node.count == 0) {
      stats.first_seen = order;
      stats.node = {key.first, key.second, event->tag,
                    OutputNames(interpreter, key.first, key.second)};
    }
    ++stats.node.count;
    stats.node.total_us += event->elapsed_time;
  }
  runs_ += has_nodes ? 1 : 0;
}

std::vector<ProfileSummary::Node> ProfileSummarizer::InOrder(const NodesByIndex& nodes) {
  std::vector<const NodeStats*> ordered;
  ordered.reserve(nodes.size());
  for (const auto& [key, stats] : nodes) {
    ordered.push_back(&stats);
  }
  std::sort(ordered.begin(), ordered.end(),
            [](const NodeStats* a, const NodeStats* b) { return a->first_seen < b->first_seen; });
  std::vector<ProfileSummary::Node> result;
  result.reserve(ordered.size());
  for (const NodeStats* stats : ordered) {
    result.push_back(stats->node);
  }
  return result;
}

ProfileSummary ProfileSummarizer::Summary() const {
  return {InOrder(nodes_), InOrder(delegate_nodes_), runs_};
}

}  // namespace profiling
}  // namespace tflite
