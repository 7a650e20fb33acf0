// SPDX-License-Identifier: Apache-2.0
// Facts about a model that only a run tells: the memory of its tensors and the time of its nodes.
#ifndef TERN_TOOLS_CLI_REPORTS_INSPECT_RUN_H_
#define TERN_TOOLS_CLI_REPORTS_INSPECT_RUN_H_

#include <string>
#include <vector>

#include "cli/engine/engine_options.h"
#include "cli/reports/launch_times.h"
#include "cli/reports/report.h"
#include "nlohmann/json.hpp"

namespace tern::cli {

// Prepares the primary subgraph on the CPU, with one thread unless the options ask for more, and,
// where `runs` is positive, runs it so often after a first run that is not counted, on random
// inputs. The object `run` of docs/inspect.md; why it could not be done stands in its `error`.
nlohmann::ordered_json DescribeRun(const std::string& file, const EngineOptions& asked, int runs);

// A model on a GPU engine, as it was measured.
struct GpuTimes {
  Report report;
  double start_ms = 0, median_ms = 0;
  int runs = 0;                      // 0: no times but the start
  std::vector<LaunchTime> launches;  // empty: the driver tells no times
};
// Adds the objects `gpu` and `explain` to the description.
void DescribeGpu(const std::string& file, int max_partitions, const GpuTimes& times,
                 nlohmann::ordered_json* description);

// Measures a model on a GPU and describes the run; `error` says why it could not be done.
void DescribeGpuRun(const std::string& file, const EngineOptions& asked, int runs,
                    nlohmann::ordered_json* description);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_REPORTS_INSPECT_RUN_H_
