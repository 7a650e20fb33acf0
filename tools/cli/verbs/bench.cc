// SPDX-License-Identifier: Apache-2.0
// `tern bench`: a table of times, models by engines.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/engine/engine.h"
#include "cli/engine/engine_names.h"
#include "cli/engine/measure.h"
#include "cli/engine/timing.h"
#include "cli/model/model_file.h"
#include "cli/page/inspect_page.h"
#include "cli/reports/launch_times.h"
#include "cli/reports/node_times.h"
#include "cli/verbs.h"
#include "nlohmann/json.hpp"
#include "tensorflow/lite/delegates/gpu/compatibility.h"
#include "tensorflow/lite/instruction_set.h"

namespace tern::cli {
namespace {

bool IsCpu(const std::string& engine) { return engine.rfind("cpu", 0) == 0; }

// "cpu:2" is the CPU with two threads.
absl::StatusOr<EngineOptions> Configured(const BenchOptions& options, const std::string& text) {
  EngineOptions engine = options.engine;
  engine.engine = text;
  if (IsCpu(text)) {
    engine.engine = "cpu";
    const size_t colon = text.find(':');
    if (colon != std::string::npos) engine.threads = std::atoi(text.c_str() + colon + 1);
  }
  const absl::Status found = ResolveEngine(/*cpu_too=*/true, &engine);
  if (!found.ok()) return found;
  return engine;
}

struct Measured {
  std::string engine;  // of "gpu" and "auto" the one that they are here
  double init_ms = 0;
  Timing timing;
  int nodes = 0;
  int there = 0;                                    // nodes that ran on the engine
  nlohmann::json per_op = nlohmann::json::array();  // of subgraph, node, op, output, ms
  std::vector<LaunchTime> launches;                 // of a GPU engine, with per_op
  double peak_gmacs = 0;                            // of its device; 0: not measured

  double OutsideMs() const {  // of a median run, what is no time of a launch
    return std::max(0.0, timing.Percentile(0.5) - SumMs(launches));
  }
};

// Billions of multiply-adds per second of the engine's device.
double PeakGmacs(const std::string& engine) {
  return static_cast<double>(TfLiteGpuDelegateV2MeasureFmaPeak(engine.c_str())) / 1e9;
}

// Runs again, timing every node.
absl::StatusOr<nlohmann::json> TimeNodes(Engine* engine, int runs) {
  NodeTimes times;
  engine->SetProfiler(&times);
  absl::Status status;
  for (int run = 0; run < runs && status.ok(); ++run) {
    status = engine->Invoke();
    times.EndRun();
  }
  engine->SetProfiler(nullptr);
  if (!status.ok()) return status;
  nlohmann::json nodes = nlohmann::json::array();
  for (const NodeTime& time : times.Medians()) {
    const TfLiteTensor* output = engine->NodeOutput(time.subgraph, time.node);
    nodes.push_back({{"subgraph", time.subgraph},
                     {"node", time.node},
                     {"op", time.op},
                     {"output", output == nullptr ? "" : ShapeText(ShapeOf(*output))},
                     {"ms", time.ms}});
  }
  return nodes;
}

absl::StatusOr<Measured> Measure(const std::string& model,
                                 const absl::StatusOr<EngineOptions>& configured, int runs,
                                 bool per_op) {
  if (!configured.ok()) return configured.status();
  const EngineOptions& options = *configured;
  Measured measured;
  measured.engine = options.engine;
  absl::StatusOr<StartedModel> started = StartModel(model, options);
  if (!started.ok()) return started.status();
  std::unique_ptr<Engine>& engine = started->engine;
  measured.init_ms = started->init_ms;
  absl::StatusOr<Timing> timing = TimeRuns(engine.get(), runs + 1);
  if (!timing.ok()) return timing.status();
  measured.timing = *std::move(timing);
  const Report report = engine->MakeReport();
  measured.nodes = report.nodes;
  measured.there = options.on_cpu() ? report.nodes : report.delegated;
  if (per_op) {
    absl::StatusOr<nlohmann::json> nodes = TimeNodes(engine.get(), runs);
    if (!nodes.ok()) return nodes.status();
    measured.per_op = *std::move(nodes);
  }
  if (per_op && !options.on_cpu() && measured.there > 0) {
    engine.reset();
    absl::StatusOr<std::vector<LaunchTime>> launches = TimeLaunches(model, options, runs);
    if (!launches.ok()) return launches.status();
    measured.launches = *std::move(launches);
    measured.peak_gmacs = PeakGmacs(options.engine);
  }
  return measured;
}

void ShowStep(const std::string& text) {
  if (isatty(STDERR_FILENO) != 0) {
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
  } else if (!text.empty()) {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
}

double Share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

// Every node in order, then every kind of operator, the longest first.
void PrintPerOp(const nlohmann::json& nodes) {
  struct Kind {
    int nodes = 0;
    double ms = 0;
  };
  double whole = 0;
  for (const auto& node : nodes) whole += node["ms"].get<double>();
  std::map<std::string, Kind> kinds;
  std::printf("\n  %-9s %-28s %-20s %9s %7s\n", "node", "op", "output", "ms", "share");
  for (const auto& node : nodes) {
    const auto ms = node["ms"].get<double>();
    const auto op = node["op"].get<std::string>();
    const int subgraph = node["subgraph"].get<int>();
    const std::string place =
        absl::StrCat(subgraph == 0 ? "" : absl::StrCat(subgraph, ":"), node["node"].get<int>());
    std::printf("  %-9s %-28s %-20s %9.3f %6.1f%%\n", place.c_str(), op.c_str(),
                node["output"].get<std::string>().c_str(), ms, Share(ms, whole));
    ++kinds[op].nodes;
    kinds[op].ms += ms;
  }
  std::vector<std::pair<std::string, Kind>> sorted(kinds.begin(), kinds.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.second.ms > b.second.ms; });
  std::printf("\n  %-9s %-28s %-20s %9s %7s\n", "nodes", "op", "", "ms", "share");
  for (const auto& [op, kind] : sorted) {
    std::printf("  %-9d %-28s %-20s %9.3f %6.1f%%\n", kind.nodes, op.c_str(), "", kind.ms,
                Share(kind.ms, whole));
  }
  std::printf("  %-9zu %-28s %-20s %9.3f %6.1f%%\n\n", nodes.size(), "all", "", whole, 100.0);
}

// The device's time for each launch; the rest of a run is copies, the driver and waiting.
void PrintLaunches(const Measured& measured) {
  if (measured.launches.empty()) {
    std::printf("  the driver tells no times of launches\n\n");
    return;
  }
  const double whole = SumMs(measured.launches), peak = measured.peak_gmacs;
  std::printf("  %-38s %-19s %9s %7s %9s %7s\n", "launch", "kernel", "ms", "share", "GMAC/s",
              "of peak");
  for (const LaunchTime& launch : measured.launches) {
    std::printf("  %-38s %-19s %9.3f %6.1f%%", launch.label.c_str(), launch.kernel.c_str(),
                launch.ms, Share(launch.ms, whole));
    if (launch.Gmacs() > 0) std::printf(" %9.1f", launch.Gmacs());
    if (launch.Gmacs() > 0 && peak > 0) std::printf(" %6.1f%%", Share(launch.Gmacs(), peak));
    std::printf("\n");
  }
  const size_t count = measured.launches.size();
  std::printf(
      "  %zu launches take %.3f ms of a run of %.3f ms; %.3f ms are outside kernels, %.1f us for "
      "each launch\n",
      count, whole, measured.timing.Percentile(0.5), measured.OutsideMs(),
      1e3 * measured.OutsideMs() / static_cast<double>(count));
  if (peak > 0) std::printf("  the peak, measured in registers: %.1f GMAC/s\n", peak);
  std::printf("\n");
}

nlohmann::json LaunchRows(const Measured& measured) {
  const auto known = [](double number) { return number > 0 ? nlohmann::json(number) : nullptr; };
  nlohmann::json rows = nlohmann::json::array();
  for (const LaunchTime& launch : measured.launches) {
    const double peak = measured.peak_gmacs;
    rows.push_back({{"launch", launch.label},
                    {"kernel", launch.kernel},
                    {"ms", launch.ms},
                    {"multiply_adds", launch.multiply_adds},
                    {"gmacs", known(launch.Gmacs())},
                    {"peak_share", known(peak > 0 ? launch.Gmacs() / peak : 0)}});
  }
  return rows;
}

nlohmann::json Row(const std::string& name, const std::string& engine, const Measured& measured) {
  return {{"model", name},
          {"engine", engine},
          {"ran_on", measured.engine},
          {"device", CpuName()},
          {"instruction_set", TfLiteInstructionSet()},
          {"init_ms", measured.init_ms},
          {"first_ms", measured.timing.first_ms},
          {"min_ms", measured.timing.Percentile(0)},
          {"median_ms", measured.timing.Percentile(0.5)},
          {"p90_ms", measured.timing.Percentile(0.9)},
          {"nodes", measured.nodes},
          {"there", measured.there},
          {"per_op", measured.per_op},
          {"launches", LaunchRows(measured)},
          {"peak_gmacs", measured.peak_gmacs},
          {"outside_ms", measured.launches.empty() ? 0 : measured.OutsideMs()}};
}

void PrintHead() {
  std::printf("%s, %s\n", CpuName().c_str(), TfLiteInstructionSet());
  std::printf("%-44s %-10s %10s %10s %10s %10s %10s  %s\n", "model", "engine", "init ms",
              "first ms", "min ms", "p50 ms", "p90 ms", "nodes on the engine");
}

void PrintRow(const std::string& name, const std::string& asked, const Measured& m) {
  const bool chosen = asked == "gpu" || asked == "auto";
  const std::string engine = chosen ? absl::StrCat(asked, "=", m.engine) : asked;
  std::printf("%-44s %-10s %10.2f %10.2f %10.3f %10.3f %10.3f  %d of %d\n", name.c_str(),
              engine.c_str(), m.init_ms, m.timing.first_ms, m.timing.Percentile(0),
              m.timing.Percentile(0.5), m.timing.Percentile(0.9), m.there, m.nodes);
  if (!m.per_op.empty()) PrintPerOp(m.per_op);
  if (!m.per_op.empty() && !IsCpu(m.engine) && m.there > 0) PrintLaunches(m);
  std::fflush(stdout);
}

}  // namespace

std::vector<std::string> EnginesToTime(const BenchOptions& options) {
  if (!options.engines.empty()) return options.engines;
  if (options.per_op) return {"cpu:1"};
  if (options.engine.threads >= 0) return {"cpu", "opencl", "gles"};
  return {"cpu:1", "cpu:2", "opencl", "gles"};
}

absl::StatusOr<int> Bench(const BenchOptions& options) {
  const std::vector<std::string> engines = EnginesToTime(options);
  const bool table = options.json != "-" && options.html != "-";
  if (table) PrintHead();
  nlohmann::json rows = nlohmann::json::array();
  size_t step = 0, failed = 0;
  for (const std::string& model : options.models) {
    const std::string name = std::filesystem::path(model).stem().string();
    for (const std::string& text : engines) {
      ShowStep(absl::StrCat("[", ++step, "/", options.models.size() * engines.size(), "] ", name,
                            " on ", text));
      absl::StatusOr<Measured> m =
          Measure(model, Configured(options, text), options.runs, options.per_op);
      if (isatty(STDERR_FILENO) != 0) ShowStep("");
      if (m.ok()) {
        rows.push_back(Row(name, text, *m));
        if (table) PrintRow(name, text, *m);
        continue;
      }
      // Engines that nobody named need not be here.
      if (!options.engines.empty() || !absl::IsUnavailable(m.status())) ++failed;
      std::fprintf(table ? stdout : stderr, "%-44s %-10s not run: %s\n", name.c_str(), text.c_str(),
                   std::string(m.status().message()).c_str());
    }
  }
  // Names of files may be any bytes.
  const auto text = [](const nlohmann::json& json, int indent) {
    return json.dump(indent, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
  };
  absl::Status status;
  if (!rows.empty() && !options.json.empty())
    status = WriteText(text(rows, 2) + "\n", options.json);
  if (!rows.empty() && !options.html.empty()) {
    const nlohmann::json described = {{"bench", rows}};
    status.Update(WriteText(InspectPage(text(described, -1)), options.html));
  }
  if (!status.ok()) return status;
  if (rows.empty()) return absl::UnavailableError("nothing could be measured");
  if (failed == 0) return 0;
  return absl::UnavailableError(absl::StrCat(failed, " of ", step, " could not be measured"));
}

}  // namespace tern::cli
