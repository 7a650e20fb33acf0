// SPDX-License-Identifier: Apache-2.0
// Where the time of a run on a GPU goes: what the delegate's report says about its launches.
#ifndef TERN_TOOLS_CLI_REPORTS_LAUNCH_TIMES_H_
#define TERN_TOOLS_CLI_REPORTS_LAUNCH_TIMES_H_

#include <string>
#include <vector>

namespace tern::cli {

struct LaunchTime {
  std::string label;         // operation and index of the node, "CONV_2D #3"
  double ms = 0;             // median over the runs, by the device's clock
  double multiply_adds = 0;  // of the node, by its shapes; 0 in all launches of it but the last
  std::string kernel = {};

  double node_ms = 0;  // of all launches of the node

  // Billions of multiply-adds of the node per second of it; 0 where the launch has none.
  double Gmacs() const { return node_ms > 0 ? multiply_adds / node_ms / 1e6 : 0; }
};

// Of all together.
double SumMs(const std::vector<LaunchTime>& launches);

// The index of its node, -1 where the label names none.
int NodeOf(const LaunchTime& launch);

// From a report with the trace of so many runs and the list of decisions. The first run is left
// out where there are more. Empty where the driver tells no times.
std::vector<LaunchTime> MedianLaunches(const std::string& report, int runs);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_REPORTS_LAUNCH_TIMES_H_
