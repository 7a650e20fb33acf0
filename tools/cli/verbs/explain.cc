// SPDX-License-Identifier: Apache-2.0
// `tern explain`: what the delegate decides about each node, for a device that need not be there.
// The delegate itself is asked; it only plans.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/engine/engine.h"
#include "cli/engine/engine_names.h"
#include "cli/model/model_file.h"
#include "cli/model/model_json.h"
#include "cli/page/inspect_page.h"
#include "cli/reports/explanation.h"
#include "cli/verbs.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using ReportJson = nlohmann::ordered_json;

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

void PrintCounts(const ReportJson& reported) {
  std::map<std::string, int> counts;
  std::set<std::pair<int, int>> parts;
  for (const ReportJson& d : reported["decisions"]) {
    ++counts[d["decision"].get<std::string>()];
    if (d.contains("partition")) parts.emplace(d["subgraph"], d["partition"]);
  }
  int64_t cuts = 0, cut_bytes = 0, end_bytes = 0;
  for (const ReportJson& c : reported["crossings"]) {
    cuts += c["cut"].get<bool>() ? 1 : 0;
    (c["cut"].get<bool>() ? cut_bytes : end_bytes) += c["bytes"].get<int64_t>();
  }
  std::printf("%s on %s, %s\n", reported["file"].get<std::string>().c_str(),
              reported["device"].get<std::string>().c_str(),
              reported["precision"].get<std::string>().c_str());
  std::printf("%d nodes: %d on the GPU, %d folded into them, %d on the CPU; %d %s on the GPU\n",
              static_cast<int>(reported["decisions"].size()), counts["gpu"], counts["folded"],
              counts["cpu"], static_cast<int>(parts.size()), parts.size() == 1 ? "part" : "parts");
  std::printf("copied in each run: %s at inputs and outputs of the model, %s",
              BytesText(end_bytes).c_str(), cuts == 0 ? "nothing inside it\n" : "");
  if (cuts > 0) {
    std::printf("%s inside it, where %d %s from one processor to the other\n",
                BytesText(cut_bytes).c_str(), static_cast<int>(cuts),
                cuts == 1 ? "tensor goes" : "tensors go");
  }
}

// Nodes on the CPU for one reason, in their order.
struct Group {
  ReportJson first;
  std::vector<std::string> nodes;  // "#3"
  int64_t bytes = 0;
};

std::vector<Group> GroupsOnCpu(const ReportJson& decisions) {
  std::vector<Group> groups;
  std::map<std::string, size_t> known;
  for (const ReportJson& d : decisions) {
    if (d["decision"] != "cpu") continue;
    const std::string key = absl::StrCat(d["op"].get<std::string>(), "\n", d["version"].get<int>(),
                                         "\n", d["reason"].get<std::string>());
    const auto [at, is_new] = known.emplace(key, groups.size());
    if (is_new) groups.push_back({d, {}, 0});
    Group& group = groups[at->second];
    const int subgraph = d["subgraph"].get<int>();
    group.nodes.push_back(absl::StrCat(
        "#", d["index"].get<int>(), subgraph == 0 ? "" : absl::StrCat(" of subgraph ", subgraph)));
    group.bytes += d["bytes_crossing"].get<int64_t>();
  }
  return groups;
}

// "#3", or "#3, #5, #7 and 13 more".
std::string NodesText(const std::vector<std::string>& nodes) {
  constexpr size_t kShown = 6;
  const size_t shown = std::min(nodes.size(), kShown);
  const std::string text = absl::StrJoin(nodes.begin(), nodes.begin() + shown, ", ");
  return nodes.size() == shown ? text : absl::StrCat(text, " and ", nodes.size() - shown, " more");
}

void PrintGroup(const Group& group) {
  const ReportJson& d = group.first;
  // A driver's log may have many lines; the JSON has them all.
  std::string reason = d["reason"];
  reason = reason.substr(0, reason.find('\n'));
  const size_t count = group.nodes.size();
  std::printf("%s%s@%d %s: %s: %s%s; to change: %s\n",
              count == 1 ? "" : absl::StrCat(count, " x ").c_str(),
              d["op"].get<std::string>().c_str(), d["version"].get<int>(),
              NodesText(group.nodes).c_str(), d["code"].get<std::string>().c_str(), reason.c_str(),
              group.bytes > 0 ? absl::StrCat(" (", BytesText(group.bytes), " cross)").c_str() : "",
              d.value("suggestion", "").c_str());
}

// A GPU that is left once, at the end, and for few bytes loses next to nothing.
void PrintWhetherFine(const ReportJson& reported) {
  constexpr int64_t kFew = 1 << 20;
  const auto is = [&](const char* where) {
    return std::any_of(reported["decisions"].begin(), reported["decisions"].end(),
                       [&](const ReportJson& d) { return d["decision"] == where; });
  };
  if (!is("cpu") || !is("gpu")) return;
  int64_t bytes = 0;
  for (const ReportJson& c : reported["crossings"]) {
    if (!c["cut"].get<bool>()) continue;
    if (c["to"] == "gpu") return;
    bytes += c["bytes"].get<int64_t>();
  }
  if (bytes > kFew) return;
  std::printf("nothing need be changed: the CPU comes last, and takes %s from the GPU in a run\n",
              BytesText(bytes).c_str());
}

void PrintExplanation(const ReportJson& reported) {
  PrintCounts(reported);
  for (const ReportJson& need : reported.value("needs", ReportJson::array())) {
    std::printf("before it runs: %s\n", need.get<std::string>().c_str());
  }
  std::map<std::string, int> codes;
  for (const ReportJson& d : reported["decisions"]) {
    if (d["decision"] == "cpu") ++codes[d["code"].get<std::string>()];
  }
  for (const auto& [code, count] : codes) std::printf("%6d  %s\n", count, code.c_str());
  for (const Group& group : GroupsOnCpu(reported["decisions"])) PrintGroup(group);
  PrintWhetherFine(reported);
}

std::string JsonTextOf(const ReportJson& json) {
  // Names in a file may be any bytes.
  return json.dump(-1, ' ', /*ensure_ascii=*/true, ReportJson::error_handler_t::replace);
}

absl::StatusOr<std::string> Page(const std::string& model, ReportJson reported) {
  const auto loaded = LoadModel(model);
  if (!loaded.ok()) return loaded.status();
  ReportJson description =
      DescribeModel(*(*loaded)->GetModel(), model, (*loaded)->allocation()->bytes());
  description["run"] = {{"nodes", ReportJson::array()}, {"memory", ReportJson::array()}};
  description["explain"] = std::move(reported);
  return InspectPage(JsonTextOf(description));
}

}  // namespace

absl::StatusOr<int> Explain(const ExplainOptions& options) {
  const absl::StatusOr<Report> report = Decide(options);
  if (!report.ok()) return report.status();
  const ReportJson reported = ExplanationOf(options.model, options.engine.max_partitions, *report);
  if (options.json.empty() && options.html.empty()) PrintExplanation(reported);
  absl::Status status;
  if (!options.json.empty()) status.Update(WriteText(JsonTextOf(reported) + "\n", options.json));
  if (!options.html.empty()) {
    const absl::StatusOr<std::string> page = Page(options.model, reported);
    status.Update(page.ok() ? WriteText(*page, options.html) : page.status());
  }
  if (!status.ok()) return status;
  return 0;
}

}  // namespace tern::cli
