// SPDX-License-Identifier: Apache-2.0
// `tern explain`: what the delegate decides about each node, for a device that need not be there.
// The delegate itself is asked; it only plans.
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/engine.h"
#include "cli/engine_names.h"
#include "cli/inspect_page.h"
#include "cli/model_file.h"
#include "cli/model_json.h"
#include "cli/verbs.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using Json = nlohmann::ordered_json;

// The report of a delegate that decided about the model.
absl::StatusOr<Report> Decide(const ExplainOptions& options) {
  EngineOptions engine = options.engine;
  engine.plan_only = engine.on_cpu();
  if (engine.on_cpu()) engine.engine = EngineOfDevice(engine.device);
  engine.allow_fallback = true;
  engine.stand_ins = true;
  absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::Open(options.model, engine);
  if (!opened.ok()) return opened.status();
  const absl::Status status = (*opened)->Prepare();
  if (!status.ok()) return status;
  return (*opened)->MakeReport();
}

// The object that docs/explain.md describes.
Json Explanation(const ExplainOptions& options, const Report& report) {
  const Json all = Json::parse(ReportText(report, {}));
  Json told = {{"format", 1}, {"file", options.model}, {"engine", report.engine}};
  for (const char* key : {"device", "driver", "precision"}) told[key] = all[key];
  told["max_partitions"] = options.engine.max_partitions;
  told["not_applied"] = report.not_applied.empty() ? Json(nullptr) : Json(report.not_applied);
  if (!report.needs.empty()) told["needs"] = report.needs;
  for (const char* key : {"decisions", "crossings"}) told[key] = all[key];
  return told;
}

std::string BytesText(int64_t bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  char text[32];
  const double kib = static_cast<double>(bytes) / 1024;
  if (bytes < 1 << 20) {
    std::snprintf(text, sizeof(text), "%.1f KiB", kib);
  } else {
    std::snprintf(text, sizeof(text), "%.2f MiB", kib / 1024);
  }
  return text;
}

void PrintCounts(const Json& told) {
  std::map<std::string, int> counts;
  std::set<std::pair<int, int>> parts;
  for (const Json& d : told["decisions"]) {
    ++counts[d["decision"].get<std::string>()];
    if (d.contains("partition")) parts.emplace(d["subgraph"], d["partition"]);
  }
  int64_t cuts = 0, cut_bytes = 0, end_bytes = 0;
  for (const Json& c : told["crossings"]) {
    cuts += c["cut"].get<bool>() ? 1 : 0;
    (c["cut"].get<bool>() ? cut_bytes : end_bytes) += c["bytes"].get<int64_t>();
  }
  std::printf("%s on %s, %s\n", told["file"].get<std::string>().c_str(),
              told["device"].get<std::string>().c_str(),
              told["precision"].get<std::string>().c_str());
  std::printf("%d nodes: %d on the GPU, %d folded into them, %d on the CPU; %d %s on the GPU\n",
              static_cast<int>(told["decisions"].size()), counts["gpu"], counts["folded"],
              counts["cpu"], static_cast<int>(parts.size()), parts.size() == 1 ? "part" : "parts");
  std::printf("each run %s cross in %d %s, and %s at the ends of the graph\n",
              BytesText(cut_bytes).c_str(), static_cast<int>(cuts), cuts == 1 ? "cut" : "cuts",
              BytesText(end_bytes).c_str());
}

void PrintTable(const Json& told) {
  PrintCounts(told);
  for (const Json& need : told.value("needs", Json::array())) {
    std::printf("before it runs: %s\n", need.get<std::string>().c_str());
  }
  std::map<std::string, int> codes;
  for (const Json& d : told["decisions"]) {
    if (d["decision"] == "cpu") ++codes[d["code"].get<std::string>()];
  }
  for (const auto& [code, count] : codes) std::printf("%6d  %s\n", count, code.c_str());
  for (const Json& d : told["decisions"]) {
    if (d["decision"] != "cpu") continue;
    // A driver's log may have many lines; the JSON has them all.
    std::string reason = d["reason"];
    reason = reason.substr(0, reason.find('\n'));
    const int64_t bytes = d["bytes_crossing"];
    std::printf(
        "#%d %s@%d%s: %s: %s%s; to change: %s\n", d["index"].get<int>(),
        d["op"].get<std::string>().c_str(), d["version"].get<int>(),
        d["subgraph"] == 0 ? "" : absl::StrCat(" of subgraph ", d["subgraph"].get<int>()).c_str(),
        d["code"].get<std::string>().c_str(), reason.c_str(),
        bytes > 0 ? absl::StrCat(" (", BytesText(bytes), " cross)").c_str() : "",
        d.value("suggestion", "").c_str());
  }
}

std::string Dumped(const Json& json) {
  // Names in a file may be any bytes.
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

absl::StatusOr<std::string> Page(const std::string& model, Json told) {
  const auto loaded = LoadModel(model);
  if (!loaded.ok()) return loaded.status();
  Json description = DescribeModel(*(*loaded)->GetModel(), model, (*loaded)->allocation()->bytes());
  description["run"] = {{"nodes", Json::array()}, {"memory", Json::array()}};
  description["explain"] = std::move(told);
  return InspectPage(Dumped(description));
}

}  // namespace

absl::StatusOr<int> Explain(const ExplainOptions& options) {
  const absl::StatusOr<Report> report = Decide(options);
  if (!report.ok()) return report.status();
  const Json told = Explanation(options, *report);
  if (options.json.empty() && options.html.empty()) PrintTable(told);
  absl::Status status;
  if (!options.json.empty()) status.Update(WriteText(Dumped(told) + "\n", options.json));
  if (!options.html.empty()) {
    const absl::StatusOr<std::string> page = Page(options.model, told);
    status.Update(page.ok() ? WriteText(*page, options.html) : page.status());
  }
  if (!status.ok()) return status;
  return 0;
}

}  // namespace tern::cli
