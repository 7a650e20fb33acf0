// SPDX-License-Identifier: Apache-2.0
// From events to rows.
#include "tensorflow/lite/profiling/profile_summarizer.h"

#include <algorithm>
#include <utility>

#include "base/str_cat.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite {
namespace profiling {
namespace {

using EventType = ProfileEvent::EventType;

// "[first, second]:7": the outputs of node 7.
std::string NodeName(const tflite::Interpreter& interpreter, int subgraph, int node) {
  std::string names;
  const tflite::Subgraph* graph = interpreter.subgraph(subgraph);
  const auto* found = graph == nullptr ? nullptr : graph->node_and_registration(node);
  if (found != nullptr && found->first.outputs != nullptr) {
    for (int i = 0; i < found->first.outputs->size; ++i) {
      const TfLiteTensor* tensor = graph->tensor(found->first.outputs->data[i]);
      if (i > 0) names += ", ";
      names += tensor == nullptr || tensor->name == nullptr ? "Unknown" : tensor->name;
    }
  }
  return tern::StrCat("[", names, "]:", node);
}

// The operation's name, with what its registration has to say about the node.
std::string NodeType(const tflite::Interpreter& interpreter, int subgraph, int node,
                     const std::string& name) {
  const tflite::Subgraph* graph = interpreter.subgraph(subgraph);
  const auto* found = graph == nullptr ? nullptr : graph->node_and_registration(node);
  if (found == nullptr) return name;
  const char* more = graph->OpProfilingString(found->second, &found->first);
  return more == nullptr ? name : tern::StrCat(name, "/", more);
}

bool IsDelegateOp(EventType type) {
  return type == EventType::DELEGATE_OPERATOR_INVOKE_EVENT ||
         type == EventType::DELEGATE_PROFILED_OPERATOR_INVOKE_EVENT;
}

}  // namespace

ProfileSummarizer::ProfileSummarizer(std::shared_ptr<ProfileSummaryFormatter> summary_formatter)
    : formatter_(summary_formatter != nullptr
                     ? std::move(summary_formatter)
                     : std::make_shared<ProfileSummaryDefaultFormatter>()) {}

ProfileSummary::Row* ProfileSummarizer::Table::Row(const std::string& name, const std::string& type,
                                                   int64_t order) {
  const auto [found, added] = places.emplace(name, table.rows.size());
  if (added) table.rows.push_back({type, name, order, {}, {}});
  return &table.rows[found->second];
}

void ProfileSummarizer::ProcessProfiles(const std::vector<const ProfileEvent*>& profile_stats,
                                        const tflite::Interpreter& interpreter) {
  int64_t order = 0;
  std::map<int, int64_t> run_us;
  int64_t delegate_us = 0;
  bool any_delegate_op = false;
  for (const ProfileEvent* event : profile_stats) {
    // The run as a whole, which its nodes make up.
    if (event->event_type == EventType::DEFAULT && event->tag == "Invoke") continue;
    const auto subgraph = static_cast<int>(event->extra_event_metadata);
    const auto us = static_cast<int64_t>(event->elapsed_time);
    if (IsDelegateOp(event->event_type)) {
      const std::string name = tern::StrCat("Delegate/", event->tag, ":", event->event_metadata);
      delegates_.Row(name, event->tag, order)->us.Add(us);
      delegate_us += us;
      any_delegate_op = true;
    } else {
      const bool is_node = event->event_type == EventType::OPERATOR_INVOKE_EVENT;
      const std::string name =
          is_node ? NodeName(interpreter, subgraph, static_cast<int>(event->event_metadata))
                  : tern::StrCat(event->tag, "/", subgraph);
      const std::string type =
          is_node
              ? NodeType(interpreter, subgraph, static_cast<int>(event->event_metadata), event->tag)
              : event->tag;
      ProfileSummary::Row* row = subgraphs_[subgraph].Row(name, type, order);
      row->us.Add(us);
      row->bytes.Add(is_node ? 0
                             : 1000 * (event->end_mem_usage.mem_footprint_kb -
                                       event->begin_mem_usage.mem_footprint_kb));
      run_us[subgraph] += us;
    }
    ++order;
  }
  for (const auto& [subgraph, us] : run_us) subgraphs_[subgraph].table.run_us.Add(us);
  if (any_delegate_op) delegates_.table.run_us.Add(delegate_us);
  for (auto& [index, entry] : subgraphs_) {
    const tflite::Subgraph* graph = interpreter.subgraph(index);
    entry.table.subgraph = index;
    entry.table.name = graph == nullptr ? "" : graph->GetName();
  }
}

bool ProfileSummarizer::HasProfiles() const {
  return delegates_.table.run_us.count() > 0 ||
         std::any_of(subgraphs_.begin(), subgraphs_.end(),
                     [](const auto& entry) { return entry.second.table.run_us.count() > 0; });
}

ProfileSummary ProfileSummarizer::Summary() const {
  ProfileSummary summary;
  for (const auto& [index, entry] : subgraphs_) summary.subgraphs.push_back(entry.table);
  summary.delegates = delegates_.table;
  return summary;
}

}  // namespace profiling
}  // namespace tflite
