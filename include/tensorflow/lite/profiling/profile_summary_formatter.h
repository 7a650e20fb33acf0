// SPDX-License-Identifier: Apache-2.0
// How a summary of operator times becomes text, or a message for other programs.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARY_FORMATTER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARY_FORMATTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tensorflow/lite/profiling/stat.h"

namespace tflite {
namespace profiling {

// Where the time of one or more runs went.
struct ProfileSummary {
  struct Row {
    std::string type;
    std::string name;   // of the outputs, and the node's index
    int64_t order = 0;  // of execution
    Stat us;
    Stat bytes;  // by which the footprint of the process grew
  };

  struct Table {
    int subgraph = 0;
    std::string name;       // of the subgraph
    std::vector<Row> rows;  // in the order in which they first ran
    Stat run_us;            // sums over all rows, by run
  };

  std::vector<Table> subgraphs;  // by index
  Table delegates;               // inside delegates; no runs where none reported
};

class ProfileSummaryFormatter {
 public:
  ProfileSummaryFormatter() = default;
  virtual ~ProfileSummaryFormatter() = default;

  virtual std::string GetOutputString(const ProfileSummary& summary) const = 0;
  // Without the tables: times of runs and number of nodes, by subgraph.
  virtual std::string GetShortSummary(const ProfileSummary& summary) const;
  // Outputs for the time before the first run and for the runs as one. Empty ones are left out.
  virtual std::string Combine(const std::string& init_output, const std::string& run_output) const;
  // Writes both combined to a file, or to standard output for an empty path. A file that cannot be
  // written is reported in the log.
  virtual void HandleOutput(const std::string& init_output, const std::string& run_output,
                            const std::string& output_file_path) const;
};

// The tables of TensorFlow Lite's benchmark tool: nodes in their order, the slowest ones, and types
// of nodes, each followed by the short summary.
class ProfileSummaryDefaultFormatter : public ProfileSummaryFormatter {
 public:
  std::string GetOutputString(const ProfileSummary& summary) const override;
};

// The same as lines of comma-separated values; commas in names become tabs.
class ProfileSummaryCSVFormatter : public ProfileSummaryFormatter {
 public:
  std::string GetOutputString(const ProfileSummary& summary) const override;
};

// The wire format of messages of profiling_info.proto: ModelProfilingData, and as the combined
// output BenchmarkProfilingData.
class ProfileSummaryProtoFormatter : public ProfileSummaryFormatter {
 public:
  std::string GetOutputString(const ProfileSummary& summary) const override;
  std::string Combine(const std::string& init_output, const std::string& run_output) const override;
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARY_FORMATTER_H_
