// SPDX-License-Identifier: Apache-2.0
// Finds changes that make a model quicker on a GPU, in measured times and in the decisions that the
// delegate reports, so that a person need not read both.
#ifndef TERN_TOOLS_CLI_REPORTS_ADVICE_H_
#define TERN_TOOLS_CLI_REPORTS_ADVICE_H_

#include <map>
#include <string>
#include <vector>

#include "cli/reports/launch_times.h"

namespace tern::cli {

// One thing to change.
struct Advice {
  double gain_ms = 0;     // of a run, or of the start
  bool measured = false;  // it was tried; else an estimate
  bool of_start = false;
  std::string text;  // what is slow and what to change
};

// A measured run on the GPU: the estimates need its launches, and the decisions behind them.
struct GpuRun {
  std::string report;                // of the delegate, JSON, with decisions and crossings
  std::vector<LaunchTime> launches;  // empty: the driver tells no times
  std::map<int, int> channels;       // of the first output, by node of the primary subgraph
  double run_ms = 0;                 // median
};

// "3.14 ms", "1204 ms".
std::string MillisText(double ms);

// Nodes that stay on the CPU and their copies, launches that only move elements, and channels that
// do not fill slices. Gains that noise hides are left out.
std::vector<Advice> AdviceOfPlan(const GpuRun& run);

// A way to run the model that was tried beside the one that was asked for.
struct Trial {
  std::string text;
  double before_ms = 0, after_ms = 0;
  bool of_start = false;
};
// Empty where the trial saves less than noise does: a twentieth, or 20 us.
std::vector<Advice> AdviceOfTrial(const Trial& trial);

// The advice with the largest gain first, at most `count`; runs come before starts.
std::vector<Advice> Largest(std::vector<Advice> all, size_t count);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_REPORTS_ADVICE_H_
