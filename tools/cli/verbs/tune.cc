// SPDX-License-Identifier: Apache-2.0
// `tern tune`: what was measured on the device, and what was chosen.
#include <cstdio>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "cli/engine/engine.h"
#include "cli/model/model_file.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

double Millis(const nlohmann::json& nanos) { return nanos.get<double>() * 1e-6; }

std::string Named(const nlohmann::json& choice) {
  const auto text = choice.get<std::string>();
  return text.empty() ? "the device's choice" : text;
}

void PrintKind(const nlohmann::json& kind) {
  const size_t more = kind["nodes"].size() - 1;
  const std::string others = more == 0 ? "" : absl::StrCat(" and ", more, " like it");
  std::printf("%s%s: %.3f ms, %s\n", kind["label"].get<std::string>().c_str(), others.c_str(),
              Millis(kind["ns"]), Named(kind["choice"]).c_str());
  for (const nlohmann::json& trial : kind["trials"]) {
    std::printf("    %9.3f ms beside %9.3f  %s%s\n", Millis(trial["ns"]), Millis(trial["best_ns"]),
                Named(trial["choice"]).c_str(), trial["taken"].get<bool>() ? "  <" : "");
  }
}

void PrintPart(const nlohmann::json& part) {
  if (part.contains("failure")) {
    std::printf("nothing is tuned: %s\n", part["failure"].get<std::string>().c_str());
    return;
  }
  if (part["from"] != "measured") {
    std::printf("%d nodes have choices of their own, which were saved\n", part["tuned"].get<int>());
    return;
  }
  for (const nlohmann::json& kind : part["kinds"]) PrintKind(kind);
  const double before = Millis(part["before_ns"]), after = Millis(part["after_ns"]);
  std::printf(
      "all launches: %.3f ms before, %.3f ms now (x%.3f), %d nodes have choices of their "
      "own; measured for %.1f s%s\n",
      before, after, after > 0 ? before / after : 1, part["tuned"].get<int>(),
      part["spent_ns"].get<double>() * 1e-9,
      part["out_of_time"].get<bool>() ? ", which was not enough for everything" : "");
}

}  // namespace

absl::StatusOr<int> Tune(const TuneOptions& options) {
  EngineOptions engine = options.engine;
  if (engine.tune_seconds < 0) engine.tune_seconds = 5;
  engine.allow_fallback = true;
  absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::Open(options.model, engine);
  if (!opened.ok()) return opened.status();
  {
    const Progress progress(absl::StrCat("measuring for ", engine.tune_seconds, " s"));
    const absl::Status status = (*opened)->Prepare();
    if (!status.ok()) return status;
  }
  const Report report = (*opened)->MakeReport();
  const nlohmann::json reported = nlohmann::json::parse(report.delegate, nullptr, false);
  if (report.delegated == 0 || !reported.is_object() || !reported.contains("tuning"))
    return absl::FailedPreconditionError("nothing of this model runs on that engine");
  const nlohmann::json& tuning = reported["tuning"];
  if (!options.json.empty()) {
    const absl::Status written = WriteText(tuning.dump(1) + "\n", options.json);
    if (!written.ok()) return written;
  }
  if (options.json != "-") {
    std::printf("%s\n", SummaryLine(report).c_str());
    for (const nlohmann::json& part : tuning) PrintPart(part);
  }
  // A run saves the programs that were compiled.
  const absl::Status run = engine.cache_dir.empty() ? absl::OkStatus() : (*opened)->Invoke();
  if (!run.ok()) return run;
  return 0;
}

}  // namespace tern::cli
