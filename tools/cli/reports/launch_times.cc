// SPDX-License-Identifier: Apache-2.0
// Runs of one engine launch the same in the same order.
#include "cli/reports/launch_times.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "cli/engine/timing.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

// By the label of its launches.
std::map<std::string, double> MultiplyAdds(const nlohmann::json& reported) {
  std::map<std::string, double> of_nodes;
  for (const nlohmann::json& decision : reported.value("decisions", nlohmann::json::array())) {
    if (decision.value("subgraph", -1) != 0 || !decision["multiply_adds"].is_number()) continue;
    of_nodes[absl::StrCat(decision.value("op", ""), " #", decision.value("index", -1))] =
        decision["multiply_adds"].get<double>();
  }
  return of_nodes;
}

}  // namespace

double SumMs(const std::vector<LaunchTime>& launches) {
  double sum = 0;
  for (const LaunchTime& launch : launches) sum += launch.ms;
  return sum;
}

int NodeOf(const LaunchTime& launch) {
  const size_t sign = launch.label.rfind('#');
  int index = -1;
  const bool found =
      sign != std::string::npos && absl::SimpleAtoi(launch.label.substr(sign + 1), &index);
  return found ? index : -1;
}

std::vector<LaunchTime> MedianLaunches(const std::string& report, int runs) {
  const nlohmann::json reported = nlohmann::json::parse(report, nullptr, false);
  if (!reported.is_object() || !reported.contains("trace") || runs < 1) return {};
  const nlohmann::json spans = reported["trace"].value("launches", nlohmann::json::array());
  const size_t in_a_run = spans.size() / static_cast<size_t>(runs);
  if (spans.size() != in_a_run * static_cast<size_t>(runs)) return {};
  std::vector<LaunchTime> launches;
  std::map<std::string, size_t> last;  // of a node
  std::map<std::string, double> node_ms;
  for (size_t i = 0; i < in_a_run; ++i) {
    std::vector<double> samples_ms;
    for (size_t at = runs > 1 ? in_a_run + i : i; at < spans.size(); at += in_a_run)
      samples_ms.push_back(static_cast<double>(spans[at].value("ns", int64_t{0})) / 1e6);
    const std::string label = spans[i].value("name", "");
    launches.push_back({label, Median(std::move(samples_ms)), 0, spans[i].value("kernel", "")});
    last[label] = i;
    node_ms[label] += launches.back().ms;
  }
  const std::map<std::string, double> multiply_adds = MultiplyAdds(reported);
  for (const auto& [label, i] : last) {
    const auto found = multiply_adds.find(label);
    if (found != multiply_adds.end()) launches[i].multiply_adds = found->second;
    launches[i].node_ms = node_ms[label];
  }
  return launches;
}

}  // namespace tern::cli
