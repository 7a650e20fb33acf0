// SPDX-License-Identifier: Apache-2.0
// Tables of operator times.
#include "tensorflow/lite/profiling/profile_summarizer.h"

#include <algorithm>
#include <cstdio>

namespace tflite {
namespace profiling {
namespace {

std::string Line(const char* type, int64_t count, double mean_ms, double share, const char* name) {
  char text[512];
  std::snprintf(text, sizeof(text), "%-32.32s %8lld %12.3f %8.2f%%  %s\n", type,
                static_cast<long long>(count), mean_ms, share, name);
  return text;
}

std::string Title(const char* text, const char* last_column) {
  char line[256];
  std::snprintf(line, sizeof(line), "%s\n%-32s %8s %12s %9s  %s\n", text, "type", "count",
                "ms per run", "share", last_column);
  return line;
}

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
    if (stats.count == 0) {
      stats.type = event->tag;
      stats.first_seen = order;
      stats.name = OutputNames(interpreter, key.first, key.second);
    }
    ++stats.count;
    stats.total_us += event->elapsed_time;
  }
  runs_ += has_nodes ? 1 : 0;
}

uint64_t ProfileSummarizer::TotalMicroseconds() const {
  uint64_t total = 0;
  for (const auto& [key, stats] : nodes_) {
    total += stats.total_us;
  }
  return total;
}

std::string ProfileSummarizer::GetOutputString() const {
  if (!HasProfiles()) {
    return "No operator was profiled.\n";
  }
  const double total = std::max(1.0, static_cast<double>(TotalMicroseconds()));
  const auto per_run = [this](uint64_t us) {
    return static_cast<double>(us) / 1000.0 / static_cast<double>(runs_);
  };
  const auto table = [&](const auto& nodes) {
    std::vector<const NodeStats*> ordered;
    ordered.reserve(nodes.size());
    for (const auto& [key, stats] : nodes) {
      ordered.push_back(&stats);
    }
    std::sort(ordered.begin(), ordered.end(),
              [](const NodeStats* a, const NodeStats* b) { return a->first_seen < b->first_seen; });
    std::string lines;
    for (const NodeStats* stats : ordered) {
      lines += Line(stats->type.c_str(), stats->count, per_run(stats->total_us),
                    100.0 * static_cast<double>(stats->total_us) / total, stats->name.c_str());
    }
    return lines;
  };
  std::string text = Title("Operators in order of execution", "outputs") + table(nodes_);
  if (!delegate_nodes_.empty()) {
    text += Title("Operators inside delegates", "outputs") + table(delegate_nodes_);
  }
  std::map<std::string, NodeStats> types;
  for (const auto& [key, stats] : nodes_) {
    types[stats.type].count += stats.count;
    types[stats.type].total_us += stats.total_us;
  }
  std::vector<std::pair<std::string, NodeStats>> sorted(types.begin(), types.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.second.total_us > b.second.total_us; });
  text += Title("Types by time", "");
  for (const auto& [type, stats] : sorted) {
    text += Line(type.c_str(), stats.count, per_run(stats.total_us),
                 100.0 * static_cast<double>(stats.total_us) / total, "");
  }
  return text + GetShortSummary();
}

std::string ProfileSummarizer::GetShortSummary() const {
  const double mean =
      runs_ == 0 ? 0.0
                 : static_cast<double>(TotalMicroseconds()) / 1000.0 / static_cast<double>(runs_);
  char text[128];
  std::snprintf(text, sizeof(text), "Runs: %lld, operators: %zu, mean time of a run: %.3f ms\n",
                static_cast<long long>(runs_), nodes_.size(), mean);
  return text;
}

}  // namespace profiling
}  // namespace tflite
