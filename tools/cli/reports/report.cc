// SPDX-License-Identifier: Apache-2.0
// Reports from and to JSON.
#include "cli/reports/report.h"

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using nlohmann::json;

std::vector<std::string> Texts(const json& reported, const char* key) {
  std::vector<std::string> texts;
  for (const json& text : reported.value(key, json::array()))
    texts.push_back(text.get<std::string>());
  return texts;
}

}  // namespace

std::string Refused::Text() const { return absl::StrCat(op, " #", node, ": ", reason); }

const Refused* Report::FirstFailed() const {
  for (const Refused& r : refused) {
    if (r.failed) return &r;
  }
  return nullptr;
}

void ReadDelegateReport(const char* text, Report* report) {
  const json reported = json::parse(text, nullptr, false);
  if (!reported.is_object()) return;
  report->delegate = text;
  report->choice = reported.value("choice", report->choice);
  report->device = reported.value("device", report->device);
  report->driver = reported.value("driver", report->driver);
  report->precision = reported.value("precision", report->precision);
  report->nodes = reported.value("nodes", report->nodes);
  report->delegated = reported.value("delegated", 0);
  report->partitions = reported.value("partitions", 0);
  for (const json& r : reported.value("refused", json::array())) {
    report->refused.push_back(
        {r.value("op", ""), r.value("node", 0), r.value("reason", ""), r.value("failed", false)});
  }
  report->warnings = Texts(reported, "warnings");
  report->plans = Texts(reported, "plans");
  report->kernels = Texts(reported, "kernels");
}

std::string SummaryLine(const Report& report) {
  const std::string where = absl::StrCat(report.engine, " on ", report.device);
  if (report.engine == "cpu") {
    const bool asked = report.choice.empty() || report.choice == "cpu: asked for";
    return absl::StrCat(where, ": ", report.nodes, " nodes",
                        asked ? "" : "; no GPU engine here, `tern devices` tells why");
  }
  const int left = report.nodes - report.delegated;
  return absl::StrCat(where, ", ", report.precision, ": ", report.delegated, " of ", report.nodes,
                      " nodes on the GPU in ", report.partitions,
                      report.partitions == 1 ? " part" : " parts",
                      left > 0 ? "; tern explain tells of the others" : "");
}

std::string ReportText(const Report& report, const Figures& figures) {
  json text = {{"refused", json::array()},
               {"decisions", json::array()},
               {"init", json::object()},
               {"crossings", json::array()},
               {"programs", 0},
               {"gpu_bytes", 0}};
  if (!report.delegate.empty()) text.update(json::parse(report.delegate));
  text.update({{"engine", report.engine},
               {"choice", report.choice},
               {"device", report.device},
               {"driver", report.driver},
               {"precision", report.precision},
               {"instruction_set", report.instruction_set},
               {"nodes", report.nodes},
               {"delegated", report.delegated},
               {"partitions", report.partitions},
               {"init_ms", figures.init_ms},
               {"first_ms", figures.first_ms},
               {"median_ms", figures.median_ms},
               {"p90_ms", figures.p90_ms},
               {"min_ms", figures.min_ms},
               {"arena_bytes", figures.arena_bytes},
               {"arena_lower_bound", figures.arena_lower_bound},
               {"peak_rss_bytes", figures.peak_rss_bytes}});
  for (const auto& [step, us] : report.start_us) text["init"][step + "_us"] = us;
  if (!report.not_applied.empty()) text["not_applied"] = report.not_applied;
  if (!report.decisions.empty()) text["decisions"] = json::parse(report.decisions);
  return text.dump(2) + "\n";
}

}  // namespace tern::cli
