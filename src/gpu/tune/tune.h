// SPDX-License-Identifier: Apache-2.0
// Tuning parameters for single nodes, measured on the device that will run them.
#ifndef TERN_GPU_TUNE_TUNE_H_
#define TERN_GPU_TUNE_TUNE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/compile.h"

namespace tern::gpu {

// Nanoseconds of each dispatch of each plan, the minimum of several runs. The plans run in turn, so
// that what else the machine does meets all of them. An error where one of them cannot run.
using MeasurePlans = std::function<absl::StatusOr<std::vector<std::vector<int64_t>>>(
    const std::vector<const Compiled*>& plans)>;

struct TuneBudget {
  int64_t nanos = 0;             // no measurement begins that would probably end later
  std::function<int64_t()> now;  // nanoseconds
};

// Parameters that were measured for nodes beside the best ones before.
struct Trial {
  NodeTuning parameters;
  int64_t nanos = 0;       // of the nodes' dispatches
  int64_t best_nanos = 0;  // of the best parameters before, in turn
  bool taken = false;      // it is the best one since
};

// Nodes that are the same work: equal kernels on equal shapes.
struct TunedKind {
  std::string label;  // of the first of them
  std::vector<int> nodes;
  int64_t nanos = 0;  // with the device's tuning parameters
  NodeTuning parameters;
  std::vector<Trial> trials;
};

struct TuneResult {
  TunedNodes nodes;              // those for which other parameters than the device's are quicker
  std::vector<TunedKind> kinds;  // that were looked at, the longest first
  // All dispatches with the device's tuning parameters and with the chosen ones, in turn.
  int64_t nanos_before = 0, nanos_after = 0;
  int64_t nanos_spent = 0;
  bool out_of_time = false;  // not everything was tried
};

// Tries the variations of the device's tuning parameters (plan/tuning_table.h) one after another,
// each on all nodes that take a percent of the time or more, and keeps for each kind of nodes what
// is clearly quicker. In the end the whole plan must be, or nothing is kept: the result is never
// slower than no tuning. Errors: the graph does not compile or does not run as it is.
absl::StatusOr<TuneResult> Tune(const Graph& graph, const DeviceInfo& device,
                                const LoweringTable& table, const CompileOptions& options,
                                const MeasurePlans& measure, const TuneBudget& budget);

}  // namespace tern::gpu

#endif  // TERN_GPU_TUNE_TUNE_H_
