// SPDX-License-Identifier: Apache-2.0
// Preparing and running a model for its description.
#include "cli/reports/inspect_run.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "cli/engine/engine.h"
#include "cli/engine/measure.h"
#include "cli/engine/timing.h"
#include "cli/reports/explanation.h"
#include "cli/reports/launch_times.h"
#include "cli/reports/node_times.h"

namespace tern::cli {
namespace {

using Json = nlohmann::ordered_json;

Json MemoryJson(Engine* engine) {
  Json list = Json::array();
  for (const SubgraphMemory& memory : engine->Memory()) {
    Json blocks = Json::array();
    for (const ArenaBlock& block : memory.blocks) {
      blocks.push_back({{"tensor", block.tensor},
                        {"offset", block.offset},
                        {"bytes", block.bytes},
                        {"first", block.first},
                        {"last", block.last}});
    }
    list.push_back({{"subgraph", list.size()},
                    {"arena_bytes", memory.arena_bytes},
                    {"arena_lower_bound", memory.arena_lower_bound},
                    {"persistent_bytes", memory.persistent_bytes},
                    {"dynamic_bytes", memory.dynamic_bytes},
                    {"blocks", std::move(blocks)}});
  }
  return list;
}

absl::Status TimeNodes(Engine* engine, int runs, Json* run) {
  for (int i = 0; i < engine->input_count(); ++i) {
    absl::Status status = engine->FillInput(i);
    if (!status.ok()) return status;
  }
  const absl::StatusOr<Timing> whole = TimeRuns(engine, runs + 1);
  if (!whole.ok()) return whole.status();
  NodeTimes times;
  engine->SetProfiler(&times);
  absl::Status status;
  for (int i = 0; i < runs && status.ok(); ++i) {
    status = engine->Invoke();
    times.EndRun();
  }
  engine->SetProfiler(nullptr);
  if (!status.ok()) return status;
  (*run)["runs"] = runs;
  (*run)["median_ms"] = whole->Percentile(0.5);
  for (const NodeTime& time : times.Medians()) {
    (*run)["nodes"].push_back(
        {{"subgraph", time.subgraph}, {"node", time.node}, {"op", time.op}, {"ms", time.ms}});
  }
  return status;
}

// By node: a label is "CONV_2D #3", that of its operation and its index.
Json LaunchesByNode(const std::vector<LaunchTime>& launches) {
  struct OfNode {
    double ms = 0;
    int launches = 0;
  };
  std::map<int, OfNode> nodes;
  for (const LaunchTime& launch : launches) {
    OfNode& node = nodes[NodeOf(launch)];
    node.ms += launch.ms;
    ++node.launches;
  }
  Json list = Json::array();
  for (const auto& [index, node] : nodes) {
    if (index < 0) continue;
    list.push_back(
        {{"subgraph", 0}, {"node", index}, {"ms", node.ms}, {"launches", node.launches}});
  }
  return list;
}

Json LaunchList(const std::vector<LaunchTime>& launches) {
  Json list = Json::array();
  for (const LaunchTime& launch : launches) {
    list.push_back({{"label", launch.label},
                    {"subgraph", 0},
                    {"node", NodeOf(launch)},
                    {"ms", launch.ms},
                    {"gmacs", launch.Gmacs() > 0 ? Json(launch.Gmacs()) : Json()}});
  }
  return list;
}

int64_t BytesAcross(const Json& explanation) {
  int64_t bytes = 0;
  for (const Json& crossing : explanation["crossings"]) bytes += crossing["bytes"].get<int64_t>();
  return bytes;
}

Json NoTimes(const std::string& engine) {
  return {{"engine", engine},       {"device", ""},
          {"error", nullptr},       {"runs", 0},
          {"median_ms", nullptr},   {"start_ms", nullptr},
          {"bytes_across", 0},      {"outside_ms", nullptr},
          {"nodes", Json::array()}, {"launches", Json::array()}};
}

absl::StatusOr<GpuTimes> TimeGpu(const std::string& file, const EngineOptions& options, int runs) {
  absl::StatusOr<StartedModel> started = StartModel(file, options);
  if (!started.ok()) return started.status();
  GpuTimes times;
  times.report = started->engine->MakeReport();
  times.start_ms = started->init_ms;
  if (times.report.delegated == 0 || runs == 0) return times;
  const absl::StatusOr<Timing> timing = TimeRuns(started->engine.get(), runs + 1);
  if (!timing.ok()) return timing.status();
  times.runs = runs;
  times.median_ms = timing->Percentile(0.5);
  started->engine.reset();
  absl::StatusOr<std::vector<LaunchTime>> launches = TimeLaunches(file, options, runs);
  if (!launches.ok()) return launches.status();
  times.launches = *std::move(launches);
  return times;
}

}  // namespace

void DescribeGpu(const std::string& file, int max_partitions, const GpuTimes& times,
                 Json* description) {
  Json gpu = NoTimes(times.report.engine);
  Json explanation = ExplanationOf(file, max_partitions, times.report);
  gpu["device"] = times.report.device;
  gpu["start_ms"] = times.start_ms;
  gpu["bytes_across"] = BytesAcross(explanation);
  if (times.report.delegated == 0) gpu["error"] = "no node runs on the GPU";
  if (times.runs > 0) {
    gpu["runs"] = times.runs;
    gpu["median_ms"] = times.median_ms;
  }
  if (!times.launches.empty()) {
    gpu["nodes"] = LaunchesByNode(times.launches);
    gpu["launches"] = LaunchList(times.launches);
    gpu["outside_ms"] = std::max(0.0, times.median_ms - SumMs(times.launches));
  }
  (*description)["gpu"] = std::move(gpu);
  (*description)["explain"] = std::move(explanation);
}

void DescribeGpuRun(const std::string& file, const EngineOptions& asked, int runs,
                    Json* description) {
  EngineOptions options = asked;
  options.allow_fallback = true;
  const absl::StatusOr<GpuTimes> times = TimeGpu(file, options, runs);
  if (times.ok()) return DescribeGpu(file, options.max_partitions, *times, description);
  (*description)["gpu"] = NoTimes(options.engine);
  (*description)["gpu"]["error"] = std::string(times.status().message());
}

Json DescribeRun(const std::string& file, const EngineOptions& asked, int runs) {
  EngineOptions options;
  options.threads = asked.threads > 0 ? asked.threads : 1;
  Json run = {{"engine", options.engine}, {"threads", options.threads},
              {"error", nullptr},         {"runs", 0},
              {"median_ms", nullptr},     {"instruction_set", ""},
              {"nodes", Json::array()},   {"memory", Json::array()}};
  const absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::Open(file, options);
  absl::Status status = opened.status();
  if (status.ok()) {
    Engine* engine = opened->get();
    status = engine->Prepare();
    if (status.ok()) run["instruction_set"] = engine->MakeReport().instruction_set;
    if (status.ok() && runs > 0) status = TimeNodes(engine, runs, &run);
    run["memory"] = MemoryJson(engine);
  }
  if (!status.ok()) run["error"] = std::string(status.message());
  return run;
}

}  // namespace tern::cli
