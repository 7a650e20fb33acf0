// SPDX-License-Identifier: Apache-2.0
// From events to rows, and from rows to text.
#include "benchmark_model/op_profile.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tern::tools {
namespace {

using Event = tflite::profiling::ProfileEvent;
using EventType = Event::EventType;

constexpr size_t kMostTimeRows = 10;  // of the table that is sorted by time
constexpr char kRule[] = "==============================";

std::string SubgraphName(const tflite::Interpreter& interpreter, int index) {
  const tflite::Subgraph* graph = interpreter.subgraph(index);
  return graph == nullptr ? "" : graph->GetName();
}

// "[first, second]:7": the outputs of node 7.
std::string NodeName(const tflite::Interpreter& interpreter, int subgraph, int node) {
  std::vector<std::string> names;
  const tflite::Subgraph* graph = interpreter.subgraph(subgraph);
  const auto* found = graph == nullptr ? nullptr : graph->node_and_registration(node);
  if (found != nullptr && found->first.outputs != nullptr) {
    for (int i = 0; i < found->first.outputs->size; ++i) {
      const TfLiteTensor* tensor = graph->tensor(found->first.outputs->data[i]);
      names.push_back(tensor == nullptr || tensor->name == nullptr ? "Unknown" : tensor->name);
    }
  }
  return absl::StrCat("[", absl::StrJoin(names, ", "), "]:", node);
}

bool IsDelegateOp(EventType type) {
  return type == EventType::DELEGATE_OPERATOR_INVOKE_EVENT ||
         type == EventType::DELEGATE_PROFILED_OPERATOR_INVOKE_EVENT;
}

double Ms(double us) { return us / 1000.0; }
double Percent(double part, double whole) { return whole > 0 ? 100.0 * part / whole : 0; }
int64_t PerRun(int64_t count, const ProfileTable& table) {
  return count / std::max<int64_t>(1, table.run_us.count());
}

std::string Rows(const char* title, const std::vector<const ProfileRow*>& rows,
                 const ProfileTable& table, bool csv) {
  std::string text = absl::StrCat(kRule, " ", title, " ", kRule, "\n");
  text +=
      csv ? "node type, first, avg_ms, %, cdf%, mem KB, times called, name\n"
          : absl::StrFormat("\t%40s\t%9s\t%9s\t%8s\t%8s\t%10s\t%9s\t%s\n", "[node type]", "[first]",
                            "[avg ms]", "[%]", "[cdf%]", "[mem KB]", "[times called]", "[Name]");
  const auto whole = static_cast<double>(table.run_us.Sum());
  double sum = 0;
  for (const ProfileRow* row : rows) {
    const auto part = static_cast<double>(row->us.Sum());
    sum += part;
    const double first = Ms(static_cast<double>(row->us.First()));
    const double mean = Ms(row->us.Mean());
    const double kb = static_cast<double>(row->bytes.Last()) / 1000.0;
    const int64_t calls = PerRun(row->times_called(), table);
    if (csv) {
      absl::StrAppend(&text, row->type, ", ", first, ", ", mean, ", ", Percent(part, whole), "%, ",
                      Percent(sum, whole), "%, ", kb, ", ", calls, ", ",
                      absl::StrReplaceAll(row->name, {{",", "\t"}}), "\n");
    } else {
      absl::StrAppendFormat(&text, "\t%40s\t%9.3f\t%9.3f\t%7.3f%%\t%7.3f%%\t%10.3f\t%9d\t%s\n",
                            row->type, first, mean, Percent(part, whole), Percent(sum, whole), kb,
                            calls, row->name);
    }
  }
  return text + "\n";
}

struct TypeSum {
  std::string type;
  int64_t count = 0;
  int64_t us = 0;  // per run
  int64_t bytes = 0;
  int64_t calls = 0;  // per run
};

std::vector<TypeSum> ByType(const ProfileTable& table) {
  std::map<std::string, TypeSum> sums;
  for (const ProfileRow& row : table.rows) {
    TypeSum& sum = sums[row.type];
    sum.type = row.type;
    sum.count += 1;
    sum.us += PerRun(row.us.Sum(), table);
    sum.bytes += row.bytes.Last();
    sum.calls += PerRun(row.times_called(), table);
  }
  std::vector<TypeSum> sorted;
  sorted.reserve(sums.size());
  for (auto& [type, sum] : sums) sorted.push_back(std::move(sum));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const TypeSum& a, const TypeSum& b) { return a.us > b.us; });
  return sorted;
}

std::string TypeRows(const ProfileTable& table, bool csv) {
  std::string text = absl::StrCat("Number of nodes executed: ", table.rows.size(), "\n", kRule,
                                  " Summary by node type ", kRule, "\n");
  text +=
      csv ? "node type, count, avg_ms, avg %, cdf %, mem KB, times called\n"
          : absl::StrFormat("\t%40s\t%9s\t%10s\t%11s\t%11s\t%10s\t%10s\n", "[Node type]", "[count]",
                            "[avg ms]", "[avg %]", "[cdf %]", "[mem KB]", "[times called]");
  const std::vector<TypeSum> sums = ByType(table);
  double whole = 0;
  for (const TypeSum& sum : sums) whole += static_cast<double>(sum.us);
  double share = 0;
  for (const TypeSum& sum : sums) {
    const double percent = Percent(static_cast<double>(sum.us), whole);
    share += percent;
    const double ms = Ms(static_cast<double>(sum.us));
    const double kb = static_cast<double>(sum.bytes) / 1000.0;
    if (csv) {
      absl::StrAppend(&text, sum.type, ", ", sum.count, ", ", ms, ", ", percent, "%, ", share,
                      "%, ", kb, ", ", sum.calls, "\n");
    } else {
      absl::StrAppendFormat(&text, "\t%40s\t%9d\t%10.3f\t%10.3f%%\t%10.3f%%\t%10.3f\t%9d\n",
                            sum.type, sum.count, ms, percent, share, kb, sum.calls);
    }
  }
  return text + "\n";
}

std::string TableText(const ProfileTable& table, bool csv) {
  std::vector<const ProfileRow*> rows;
  rows.reserve(table.rows.size());
  for (const ProfileRow& row : table.rows) rows.push_back(&row);
  std::string text = Rows("Run Order", rows, table, csv);
  std::stable_sort(rows.begin(), rows.end(), [](const ProfileRow* a, const ProfileRow* b) {
    return a->us.Mean() > b->us.Mean();
  });
  rows.resize(std::min(rows.size(), kMostTimeRows));
  text += Rows("Top by Computation Time", rows, table, csv);
  return text + TypeRows(table, csv);
}

std::string ShortSummary(const ProfileTable& table) {
  return absl::StrCat("Timings (microseconds): ", table.run_us.Text(),
                      "\nMemory (bytes): count=0\n", table.rows.size(), " nodes observed\n\n");
}

}  // namespace

ProfileRow* ProfileTable::Row(const std::string& name, const std::string& type, int64_t order) {
  const auto [found, added] = places.emplace(name, rows.size());
  if (added) rows.push_back({type, name, order, {}, {}});
  return &rows[found->second];
}

void OpProfile::AddRun(const std::vector<const Event*>& events,
                       const tflite::Interpreter& interpreter) {
  int64_t order = 0;
  std::map<int, int64_t> run_us;
  int64_t delegate_us = 0;
  bool any_delegate_op = false;
  for (const Event* event : events) {
    // The run as a whole, which its nodes make up.
    if (event->event_type == EventType::DEFAULT && event->tag == "Invoke") continue;
    const auto subgraph = static_cast<int>(event->extra_event_metadata);
    const auto us = static_cast<int64_t>(event->elapsed_time);
    if (IsDelegateOp(event->event_type)) {
      delegates_
          .Row(absl::StrCat("Delegate/", event->tag, ":", event->event_metadata), event->tag, order)
          ->us.Add(us);
      delegate_us += us;
      any_delegate_op = true;
    } else {
      const bool is_node = event->event_type == EventType::OPERATOR_INVOKE_EVENT;
      const std::string name =
          is_node ? NodeName(interpreter, subgraph, static_cast<int>(event->event_metadata))
                  : absl::StrCat(event->tag, "/", subgraph);
      ProfileRow* row = subgraphs_[subgraph].Row(name, event->tag, order);
      row->us.Add(us);
      row->bytes.Add(is_node ? 0
                             : 1000 * (event->end_mem_usage.mem_footprint_kb -
                                       event->begin_mem_usage.mem_footprint_kb));
      run_us[subgraph] += us;
    }
    ++order;
  }
  for (const auto& [subgraph, us] : run_us) subgraphs_[subgraph].run_us.Add(us);
  if (any_delegate_op) delegates_.run_us.Add(delegate_us);
}

std::string OpProfile::Text(const tflite::Interpreter& interpreter, bool csv) const {
  std::string text;
  for (const auto& [index, table] : subgraphs_) {
    const std::string name = absl::StrCat("name: ", SubgraphName(interpreter, index), ")");
    const std::string title = absl::StrCat("Subgraph (index: ", index, ", ", name);
    if (subgraphs_.size() > 1) {
      text += (index == 0 ? absl::StrCat("Primary graph (", name) : title) + " profile:\n";
    }
    text += TableText(table, csv);
    if (index != 0) text += title + " ";
    text += ShortSummary(table);
  }
  if (delegates_.run_us.count() > 0) {
    absl::StrAppend(&text, "Delegate internal: \n", TableText(delegates_, csv),
                    ShortSummary(delegates_));
  }
  return text;
}

}  // namespace tern::tools
