// SPDX-License-Identifier: Apache-2.0
// `tern plan` and `tern kernels`: what a device would run, without having it. The delegate compiles
// for an invented device and tells through its report.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/engine/engine.h"
#include "cli/engine/engine_names.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

// The report of a delegate that only planned.
absl::StatusOr<Report> Plan(const PlanOptions& options) {
  EngineOptions engine = options.engine;
  // An engine is a device that is here.
  const std::string device = engine.on_cpu() ? engine.device : engine.engine;
  engine.engine = options.language.empty() ? EngineOfDevice(device)
                                           : absl::StrCat("null:", device, "/", options.language);
  engine.plan_only = true;
  engine.list = true;
  engine.allow_fallback = true;
  engine.stand_ins = true;
  absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::Open(options.model, engine);
  if (!opened.ok()) return opened.status();
  const absl::Status status = (*opened)->Prepare();
  if (!status.ok()) return status;
  return (*opened)->MakeReport();
}

absl::StatusOr<int> Print(const PlanOptions& options, std::vector<std::string> Report::*what) {
  const absl::StatusOr<Report> report = Plan(options);
  if (!report.ok()) return report.status();
  const std::vector<std::string>& texts = *report.*what;
  if (texts.empty()) {
    std::printf("nothing of this model would run on that device%s%s\n",
                report->not_applied.empty() ? "" : ": ", report->not_applied.c_str());
  }
  for (const std::string& text : texts) std::printf("%s\n", text.c_str());
  for (const Refused& r : report->refused) std::printf("on the CPU: %s\n", r.Text().c_str());
  for (const std::string& need : report->needs) std::printf("before it runs: %s\n", need.c_str());
  return 0;
}

}  // namespace

absl::StatusOr<int> PrintPlans(const PlanOptions& options) {
  return Print(options, &Report::plans);
}

absl::StatusOr<int> PrintKernels(const PlanOptions& options) {
  return Print(options, &Report::kernels);
}

}  // namespace tern::cli
