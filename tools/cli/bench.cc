// SPDX-License-Identifier: Apache-2.0
// `tern bench`: a table of times, models by engines.
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "cli/timing.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

struct BenchOptions {
  std::vector<std::string> models;
  std::vector<std::string> engines = {"cpu:1", "cpu:2", "opencl", "gles"};
  EngineOptions engine;  // precision and slice width for the GPU engines
  int runs = 30;
};

// "cpu:2" is the CPU with two threads.
EngineOptions Configured(const BenchOptions& options, const std::string& text) {
  EngineOptions engine = options.engine;
  const size_t colon = text.find(':');
  engine.engine = text;
  if (text.rfind("cpu", 0) == 0) {
    engine.engine = "cpu";
    engine.threads = colon == std::string::npos ? -1 : std::atoi(text.c_str() + colon + 1);
  }
  return engine;
}

struct Measured {
  double init_ms = 0;
  Timing timing;
  int nodes = 0;
  int there = 0;  // nodes that ran on the engine
};

absl::StatusOr<Measured> Measure(const std::string& model, const EngineOptions& options, int runs) {
  Measured measured;
  const Stopwatch init;
  absl::StatusOr<std::unique_ptr<Engine>> engine = Engine::Open(model, options);
  if (!engine.ok()) return engine.status();
  absl::Status status = (*engine)->Prepare();
  if (!status.ok()) return status;
  measured.init_ms = init.Ms();
  for (int i = 0; i < (*engine)->input_count(); ++i) {
    status = (*engine)->FillInput(i);
    if (!status.ok()) return status;
  }
  absl::StatusOr<Timing> timing = TimeRuns(engine->get(), runs + 1);
  if (!timing.ok()) return timing.status();
  measured.timing = *std::move(timing);
  const nlohmann::json report = (*engine)->Report();
  measured.nodes = report["nodes"].get<int>();
  measured.there = options.on_cpu() ? measured.nodes : report["delegated"].get<int>();
  return measured;
}

void Progress(const std::string& text) {
  if (isatty(STDERR_FILENO) != 0) {
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
  } else if (!text.empty()) {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
}

absl::StatusOr<int> Bench(const BenchOptions& options) {
  std::printf("%-44s %-10s %10s %10s %10s %10s  %s\n", "model", "engine", "init ms", "min ms",
              "p50 ms", "p90 ms", "nodes on the engine");
  int measured_rows = 0;
  size_t step = 0;
  for (const std::string& model : options.models) {
    const std::string name = std::filesystem::path(model).stem().string();
    for (const std::string& text : options.engines) {
      Progress(absl::StrCat("[", ++step, "/", options.models.size() * options.engines.size(), "] ",
                            name, " on ", text));
      const EngineOptions engine = Configured(options, text);
      absl::StatusOr<Measured> m = Measure(model, engine, options.runs);
      if (isatty(STDERR_FILENO) != 0) Progress("");
      if (!m.ok()) {
        std::printf("%-44s %-10s not run: %s\n", name.c_str(), text.c_str(),
                    std::string(m.status().message()).c_str());
        continue;
      }
      ++measured_rows;
      std::printf("%-44s %-10s %10.2f %10.3f %10.3f %10.3f  %d of %d\n", name.c_str(), text.c_str(),
                  m->init_ms, m->timing.Percentile(0), m->timing.Percentile(0.5),
                  m->timing.Percentile(0.9), m->there, m->nodes);
      std::fflush(stdout);
    }
  }
  if (measured_rows == 0) return absl::UnavailableError("nothing could be measured");
  return 0;
}

}  // namespace

void AddBenchVerb(CLI::App* app, Action* action) {
  auto options = std::make_shared<BenchOptions>();
  options->engine.allow_fallback = true;  // the table tells how many nodes ran on the engine
  CLI::App* verb = app->add_subcommand("bench", "Time models on the engines");
  verb->add_option("model", options->models, ".tflite files")->required();
  verb->add_option("--engines", options->engines, "Engines, cpu:1,cpu:2,opencl,gles unless given")
      ->delimiter(',')
      ->expected(1, 16);
  verb->add_option("--runs", options->runs, "Timed runs after the first")
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--precision", options->engine.precision, "f32 or f16, on GPU engines")
      ->check(CLI::IsMember({"f32", "f16"}));
  verb->add_option("--slice-width", options->engine.slice_width, "Channels per slice: 4, 8 or 16")
      ->check(CLI::IsMember({4, 8, 16}));
  verb->callback([options, action] { *action = [options] { return Bench(*options); }; });
}

}  // namespace tern::cli
