// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/advice.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using ReportJson = nlohmann::json;

// Operations that give elements other places.
const std::set<std::string> kMoves = {"BATCH_TO_SPACE_ND",
                                      "BROADCAST_TO",
                                      "CONCATENATION",
                                      "DEPTH_TO_SPACE",
                                      "EXPAND_DIMS",
                                      "GATHER",
                                      "PACK",
                                      "PAD",
                                      "PADV2",
                                      "RESHAPE",
                                      "SLICE",
                                      "SPACE_TO_BATCH_ND",
                                      "SPACE_TO_DEPTH",
                                      "SPLIT",
                                      "SPLIT_V",
                                      "SQUEEZE",
                                      "STRIDED_SLICE",
                                      "TILE",
                                      "TRANSPOSE",
                                      "UNPACK"};

// Whoever makes the model chooses how many channels they have.
const std::set<std::string> kLayers = {"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED",
                                       "TRANSPOSE_CONV"};

// "CONV_2D #3" is of node 3.
std::pair<std::string, int> NodeOfLabel(const std::string& label) {
  const size_t at = label.find(" #");
  if (at == std::string::npos) return {label, -1};
  return {label.substr(0, at), std::atoi(label.c_str() + at + 2)};
}

// Less than what runs differ by.
bool IsNoise(double gain_ms, double of_ms) { return gain_ms < std::max(of_ms / 20, 0.02); }

std::string KiBytes(int64_t bytes) { return absl::StrCat((bytes + 1023) / 1024, " KiB"); }

// Where one processor hands over to the other inside the graph. The time of a run that is not of
// launches goes there, and into the driver.
void OfCpuNodes(const ReportJson& report, const GpuRun& run, std::vector<Advice>* all) {
  int nodes = 0;
  int64_t max = -1;
  std::string first;
  for (const ReportJson& d : report.value("decisions", ReportJson::array())) {
    if (d.value("decision", "") != "cpu" || d.value("subgraph", 0) != 0) continue;
    ++nodes;
    if (d.value("bytes_crossing", int64_t{0}) <= max) continue;
    max = d.value("bytes_crossing", int64_t{0});
    first = absl::StrCat(d.value("op", ""), " #", d.value("index", -1), " (", d.value("reason", ""),
                         "): ", d.value("suggestion", ""));
  }
  int cuts = 0;
  int64_t bytes = 0;
  for (const ReportJson& c : report.value("crossings", ReportJson::array())) {
    if (!c.value("cut", false)) continue;
    ++cuts;
    bytes += c.value("bytes", int64_t{0});
  }
  if (nodes == 0 || cuts == 0) return;
  const double rest_ms = run.launches.empty() ? 0 : std::max(0.0, run.run_ms - SumMs(run.launches));
  all->push_back({rest_ms, false, false,
                  absl::StrCat(nodes, nodes == 1 ? " node stays" : " nodes stay",
                               " on the CPU, and ", cuts, cuts == 1 ? " tensor" : " tensors",
                               " of ", KiBytes(bytes), " cross to it and back; first ", first)});
}

void OfMoves(const GpuRun& run, std::vector<Advice>* all) {
  double ms = 0;
  int count = 0;
  const LaunchTime* longest = nullptr;
  for (const LaunchTime& launch : run.launches) {
    if (kMoves.count(NodeOfLabel(launch.label).first) == 0) continue;
    ++count;
    ms += launch.ms;
    if (longest == nullptr || launch.ms > longest->ms) longest = &launch;
  }
  if (count == 0) return;
  all->push_back(
      {ms, false, false,
       absl::StrCat(count, count == 1 ? " launch only moves" : " launches only move",
                    " elements; the longest is ", longest->label, " with ", MillisText(longest->ms),
                    ": leave it out of the model, or order the axes so that it is not needed")});
}

// The last slice of a pixel is computed whole.
void OfSlices(const ReportJson& report, const GpuRun& run, std::vector<Advice>* all) {
  const int width = report.value("slice_width", 4);
  const auto whole = [width](int channels) { return (channels + width - 1) / width * width; };
  double ms = 0, max_ms = 0;
  int count = 0, channels = 0;
  std::string label;
  for (const LaunchTime& launch : run.launches) {
    const auto [op, node] = NodeOfLabel(launch.label);
    const auto found = run.channels.find(node);
    if (kLayers.count(op) == 0 || found == run.channels.end()) continue;
    const int lost = whole(found->second) - found->second;
    if (lost == 0) continue;
    const double lost_ms = launch.ms * lost / whole(found->second);
    ++count;
    ms += lost_ms;
    if (lost_ms <= max_ms) continue;
    max_ms = lost_ms;
    channels = found->second;
    label = launch.label;
  }
  if (count == 0) return;
  const std::string fewer =
      channels > width ? absl::StrCat(" or ", channels / width * width) : std::string();
  all->push_back({ms, false, false,
                  absl::StrCat(count, count == 1 ? " layer has" : " layers have",
                               " a number of channels that is no multiple of ", width, ", first ",
                               label, " with ", channels, ": give it ", whole(channels), fewer)});
}

}  // namespace

std::string MillisText(double ms) {
  char text[32];
  std::snprintf(text, sizeof(text), ms < 100 ? "%.3g ms" : "%.0f ms", ms);
  return text;
}

std::vector<Advice> AdviceOfPlan(const GpuRun& run) {
  std::vector<Advice> all;
  const ReportJson report = ReportJson::parse(run.report, nullptr, false);
  if (!report.is_object()) return all;
  OfCpuNodes(report, run, &all);
  OfMoves(run, &all);
  OfSlices(report, run, &all);
  // Of nodes on the CPU nothing is known where the driver tells no times.
  std::erase_if(all,
                [&](const Advice& a) { return a.gain_ms > 0 && IsNoise(a.gain_ms, run.run_ms); });
  return all;
}

std::vector<Advice> AdviceOfTrial(const Trial& trial) {
  const double gain_ms = trial.before_ms - trial.after_ms;
  if (IsNoise(gain_ms, trial.before_ms)) return {};
  return {{gain_ms, true, trial.of_start,
           absl::StrCat(trial.text, ": ", MillisText(trial.after_ms), " instead of ",
                        MillisText(trial.before_ms))}};
}

std::vector<Advice> Largest(std::vector<Advice> all, size_t count) {
  std::stable_sort(all.begin(), all.end(), [](const Advice& a, const Advice& b) {
    return a.of_start != b.of_start ? b.of_start : a.gain_ms > b.gain_ms;
  });
  if (all.size() > count) all.resize(count);
  return all;
}

}  // namespace tern::cli
