// SPDX-License-Identifier: Apache-2.0
// `tern run`: runs a model on a photo, on given tensors or on seeded ones, and tells times and
// results.
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "cli/answers/run_answer.h"
#include "cli/engine/engine.h"
#include "cli/engine/timing.h"
#include "cli/inputs/fill.h"
#include "cli/inputs/inputs.h"
#include "cli/model/model_file.h"
#include "cli/reports/trace.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

void PrintSummary(const Report& report, const Figures& figures) {
  for (const std::string& line : report.warnings) {
    std::fprintf(stderr, "tern: warning: %s\n", line.c_str());
  }
  std::printf("%s\n", SummaryLine(report).c_str());
  if (!report.not_applied.empty()) {
    std::printf("on the CPU: %s\n", report.not_applied.c_str());
  }
  std::printf("init %.2f ms, first %.2f ms, median %.2f ms, p90 %.2f ms, min %.2f ms\n",
              figures.init_ms, figures.first_ms, figures.median_ms, figures.p90_ms, figures.min_ms);
}

// While it lives, what is printed goes to stderr: a report or a trace stands on stdout alone.
class Aside {
 public:
  Aside() {
    std::fflush(stdout);
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~Aside() {
    std::fflush(stdout);
    dup2(out_, STDOUT_FILENO);
    close(out_);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  const int out_ = dup(STDOUT_FILENO);
};

absl::Status WriteTrace(const std::string& file, const Engine& engine, const Report& report,
                        Trace* trace) {
  for (const TraceSpan& step : engine.start()) trace->Add(step);
  trace->AddReport(report.delegate);
  return WriteText(trace->Text(), file);
}

}  // namespace

absl::StatusOr<int> Run(const RunOptions& options) {
  const absl::StatusOr<Labels> labels = ReadLabels(options);
  if (!labels.ok()) return labels.status();
  EngineOptions engine_options = options.engine;
  engine_options.trace = !options.trace.empty();
  Trace trace;  // outlives the engine, which writes to it
  const Stopwatch init;
  absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::Open(options.model, engine_options);
  if (!opened.ok()) return opened.status();
  Engine* engine = opened->get();
  if (engine_options.trace) engine->SetProfiler(&trace);
  absl::Status status = ResizeInputs(options.shapes, engine);
  if (status.ok()) status = engine->Prepare();
  if (!status.ok()) return status;
  const double init_ms = init.Ms();
  const absl::StatusOr<Shown> shown = GiveInputs(
      {options.image, options.inputs, options.input_range, {options.crop, options.turn}}, engine);
  if (!shown.ok()) return shown.status();
  if (options.drop_slow_runs > 0) {
    status = engine->DropSlowParts(options.drop_slow_runs);
  }
  if (!status.ok()) return status;
  absl::StatusOr<Timing> timing = TimeRuns(engine, options.runs);
  if (!timing.ok()) return timing.status();
  const Report report = engine->MakeReport();
  const Activations activations = engine->ActivationBytes();
  const Figures figures = {init_ms,
                           timing->first_ms,
                           timing->Percentile(0.5),
                           timing->Percentile(0.9),
                           timing->Percentile(0),
                           activations.bytes,
                           activations.lower_bound,
                           PeakRssBytes()};
  std::optional<Aside> aside;
  if (options.report == "-" || options.trace == "-") aside.emplace();
  PrintSummary(report, figures);
  status = ShowAnswer(options, *shown, *labels, engine);
  aside.reset();
  if (status.ok() && !options.report.empty()) {
    status = WriteText(ReportText(report, figures), options.report);
  }
  if (status.ok() && !options.trace.empty()) {
    status = WriteTrace(options.trace, *engine, report, &trace);
  }
  if (!status.ok()) return status;
  return 0;
}

}  // namespace tern::cli
