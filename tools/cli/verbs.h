// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line: the options of each, and its work. The exit status, or an error
// whose message is printed once on stderr (exit status 1).
#ifndef TERN_TOOLS_CLI_VERBS_H_
#define TERN_TOOLS_CLI_VERBS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/engine/engine_options.h"

namespace tern::cli {

struct RunOptions {
  EngineOptions engine;
  std::string model;
  std::string image;
  std::string labels;
  std::vector<std::string> inputs;  // I=FILE
  std::vector<std::string> shapes;  // I=1x2x3
  std::string output_dir;
  std::string report;
  std::string trace;
  std::vector<double> input_range;  // LOW,HIGH
  std::vector<double> crop;         // X,Y,WIDTH,HEIGHT
  double turn = 0;                  // of the crop
  int runs = 1;
  int drop_slow_runs = 0;  // over which parts on the GPU are measured; 0: all stay
};
absl::StatusOr<int> Run(const RunOptions& options);

struct VerifyOptions {
  EngineOptions engine;
  std::vector<std::string> roots;
  std::string only = "*";
  int every = 1;  // judge only each so-manyth of the chosen cases
  int from = 0;   // leave out so many of them before the first
  std::string dump;
  bool quiet = false;
};
absl::StatusOr<int> Verify(const VerifyOptions& options);

struct DiffOptions {
  EngineOptions engine;  // of the GPU
  std::string model;
  std::vector<std::string> inputs;  // I=FILE
  std::vector<std::string> shapes;  // I=1x2x3
  double tolerance = -1;            // of a tensor's largest magnitude; -1: by precision
  double steps = -1;                // of quantized elements; -1: the usual ones
  std::string write;                // where the first bad node goes
};
absl::StatusOr<int> Diff(const DiffOptions& options);

struct BenchOptions {
  std::vector<std::string> models;
  std::vector<std::string> engines;  // empty: the usual ones
  EngineOptions engine;              // further options, for all of them
  int runs = 30;
  bool per_op = false;
  std::string json;  // where the rows go for other programs
  std::string html;  // where a page of them goes
};
absl::StatusOr<int> Bench(const BenchOptions& options);
// The engines that were named, or else the usual ones.
std::vector<std::string> EnginesToTime(const BenchOptions& options);

struct TuneOptions {
  EngineOptions engine;
  std::string model;
  std::string json;  // where what was tried goes for other programs
};
absl::StatusOr<int> Tune(const TuneOptions& options);

struct AdviseOptions {
  EngineOptions engine;  // of the GPU
  std::string model;
  std::string json;  // where it goes for other programs; "-": printed alone
  std::string html;  // where a page with the graph and both engines' times goes; "-": printed alone
  int runs = 20;
};
absl::StatusOr<int> Advise(const AdviseOptions& options);

struct InspectOptions {
  std::string model;
  std::string
      json;  // the description as JSON (docs/inspect.md) in place of the table; "-": printed
  std::string html;      // the description as a page, "-": printed
  int runs = -1;         // timed runs for them; -1: 10 for the page, none for JSON
  EngineOptions engine;  // of a GPU: it is run there, too
};
absl::StatusOr<int> Inspect(const InspectOptions& options);

struct ExplainOptions {
  std::string model;
  std::string json;  // where the decisions go (docs/explain.md) in place of the table; "-": printed
  std::string html;  // the graph as a page, "-": printed
  EngineOptions engine;  // of a GPU: the programs are built there, too
};
absl::StatusOr<int> Explain(const ExplainOptions& options);

struct PlanOptions {
  std::string model;
  std::string language;  // of kernels; empty: the device's own
  EngineOptions engine;
};
absl::StatusOr<int> PrintPlans(const PlanOptions& options);
absl::StatusOr<int> PrintKernels(const PlanOptions& options);

struct DevicesOptions {
  std::string json;  // where it goes for other programs, in place of the table; "-": printed
};
// The exit status is 1 where a device gives wrong numbers.
absl::StatusOr<int> Devices(const DevicesOptions& options);

struct CacheOptions {
  std::string cache_dir;
};
absl::StatusOr<int> CacheList(const CacheOptions& options);
absl::StatusOr<int> CacheCheck(const CacheOptions& options);
absl::StatusOr<int> CacheClear(const CacheOptions& options);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_VERBS_H_
