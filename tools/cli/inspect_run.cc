// SPDX-License-Identifier: Apache-2.0
// Preparing and running a model for its description.
#include "cli/inspect_run.h"

#include <memory>

#include "cli/engine.h"
#include "cli/node_times.h"
#include "cli/timing.h"

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

}  // namespace

Json DescribeRun(const std::string& file, int runs) {
  EngineOptions options;
  options.threads = 1;
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
