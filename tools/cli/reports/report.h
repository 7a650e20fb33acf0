// SPDX-License-Identifier: Apache-2.0
// The report of an engine about itself and about its share of a model.
#ifndef TERN_TOOLS_CLI_REPORTS_REPORT_H_
#define TERN_TOOLS_CLI_REPORTS_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tern::cli {

// A node that the engine left to the CPU.
struct Refused {
  std::string op;
  int node = 0;
  std::string reason;
  bool failed = false;  // taken, but it could not run: a fault, not a limit

  // "ADD #3: why".
  std::string Text() const;
};

struct Report {
  std::string engine;
  std::string choice;
  std::string device;
  std::string driver;
  std::string precision;
  std::string instruction_set;  // of the operators on the CPU
  int nodes = 0;
  int delegated = 0;
  int partitions = 0;
  std::vector<Refused> refused;
  std::map<std::string, int64_t> start_us;  // steps of the start (Engine::start)
  std::vector<std::string> warnings;        // of the delegate, about its options
  // Only where they were asked for (EngineOptions::list) and something runs on the device.
  std::vector<std::string> plans;
  std::vector<std::string> kernels;
  std::string not_applied;  // where the delegate did not fit the graph, the reason
  std::string delegate;     // the whole report of the delegate, JSON; empty without one
  std::string decisions;    // where the delegate was not asked: a JSON list in place of its own
  std::vector<std::string> needs;  // what the model needs before it runs (NeedsOf)

  // The first node that could not run, null when there is none.
  const Refused* FirstFailed() const;
};

// Takes over what the delegate's report says.
void ReadDelegateReport(const char* json, Report* report);

// The figures that were measured beside a report.
struct Figures {
  double init_ms = 0;
  double first_ms = 0;
  double median_ms = 0;
  double p90_ms = 0;
  double min_ms = 0;
  size_t arena_bytes = 0;
  size_t arena_lower_bound = 0;  // what the best plan could need
  size_t peak_rss_bytes = 0;
};

// One line: the engine, its device and how much of the model runs there.
std::string SummaryLine(const Report& report);

// The report with the figures as a JSON object, whatever else the delegate tells included.
std::string ReportText(const Report& report, const Figures& figures);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_REPORTS_REPORT_H_
