// SPDX-License-Identifier: Apache-2.0
// Tables of operator times, for people and for spreadsheets.
#include "tensorflow/lite/profiling/profile_summary_formatter.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

#include "tensorflow/lite/minimal_logging.h"

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

using Node = ProfileSummary::Node;

uint64_t TotalMicroseconds(const ProfileSummary& summary) {
  uint64_t total = 0;
  for (const Node& node : summary.nodes) {
    total += node.total_us;
  }
  return total;
}

double MillisecondsPerRun(uint64_t us, const ProfileSummary& summary) {
  return summary.runs == 0 ? 0.0
                           : static_cast<double>(us) / 1000.0 / static_cast<double>(summary.runs);
}

double Share(const Node& node, const ProfileSummary& summary) {
  return 100.0 * static_cast<double>(node.total_us) /
         std::max(1.0, static_cast<double>(TotalMicroseconds(summary)));
}

std::string Table(const std::vector<Node>& nodes, const ProfileSummary& summary) {
  std::string lines;
  for (const Node& node : nodes) {
    lines += Line(node.type.c_str(), node.count, MillisecondsPerRun(node.total_us, summary),
                  Share(node, summary), node.name.c_str());
  }
  return lines;
}

// The nodes of one type as one, the slowest type first.
std::vector<Node> ByType(const std::vector<Node>& nodes) {
  std::map<std::string, Node> types;
  for (const Node& node : nodes) {
    Node& type = types[node.type];
    type.type = node.type;
    type.count += node.count;
    type.total_us += node.total_us;
  }
  std::vector<Node> sorted;
  sorted.reserve(types.size());
  for (auto& [name, type] : types) {
    sorted.push_back(std::move(type));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Node& a, const Node& b) { return a.total_us > b.total_us; });
  return sorted;
}

// A field in quotes where it needs them.
std::string Field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

void Write(const std::string& init_output, const std::string& run_output, std::ostream& out) {
  if (!init_output.empty()) {
    out << "Before the first run:\n" << init_output << "\n";
  }
  out << "Runs:\n" << run_output << std::endl;
}

}  // namespace

std::string ProfileSummaryFormatter::GetShortSummary(const ProfileSummary& summary) const {
  char text[128];
  std::snprintf(text, sizeof(text), "Runs: %lld, operators: %zu, mean time of a run: %.3f ms\n",
                static_cast<long long>(summary.runs), summary.nodes.size(),
                MillisecondsPerRun(TotalMicroseconds(summary), summary));
  return text;
}

void ProfileSummaryFormatter::HandleOutput(const std::string& init_output,
                                           const std::string& run_output,
                                           const std::string& output_file_path) const {
  if (output_file_path.empty()) {
    Write(init_output, run_output, std::cout);
    return;
  }
  std::ofstream file(output_file_path);
  Write(init_output, run_output, file);
  if (!file.good()) {
    TFLITE_LOG_PROD(TFLITE_LOG_ERROR, "Could not write '%s'.", output_file_path.c_str());
  }
}

std::string ProfileSummaryDefaultFormatter::GetOutputString(const ProfileSummary& summary) const {
  if (summary.runs == 0) {
    return "No operator was profiled.\n";
  }
  std::string text =
      Title("Operators in order of execution", "outputs") + Table(summary.nodes, summary);
  if (!summary.delegate_nodes.empty()) {
    text += Title("Operators inside delegates", "outputs") + Table(summary.delegate_nodes, summary);
  }
  text += Title("Types by time", "") + Table(ByType(summary.nodes), summary);
  return text + GetShortSummary(summary);
}

std::string ProfileSummaryCSVFormatter::GetOutputString(const ProfileSummary& summary) const {
  std::string text = "subgraph,node,delegate,type,count,ms per run,share in percent,outputs\n";
  for (const auto* nodes : {&summary.nodes, &summary.delegate_nodes}) {
    for (const Node& node : *nodes) {
      char numbers[96];
      std::snprintf(numbers, sizeof(numbers), "%lld,%.3f,%.2f", static_cast<long long>(node.count),
                    MillisecondsPerRun(node.total_us, summary), Share(node, summary));
      text += std::to_string(node.subgraph) + "," + std::to_string(node.index) + "," +
              (nodes == &summary.nodes ? "no" : "yes") + "," + Field(node.type) + "," + numbers +
              "," + Field(node.name) + "\n";
    }
  }
  return text;
}

}  // namespace profiling
}  // namespace tflite
