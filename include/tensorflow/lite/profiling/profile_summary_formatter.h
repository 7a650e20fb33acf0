// SPDX-License-Identifier: Apache-2.0
// How a summary of operator times becomes text.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARY_FORMATTER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARY_FORMATTER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace tflite {
namespace profiling {

// Times of nodes over one or more runs.
struct ProfileSummary {
  struct Node {
    int64_t subgraph = 0;
    int64_t index = 0;
    std::string type;
    std::string name;  // of its outputs
    int64_t count = 0;
    uint64_t total_us = 0;
  };

  std::vector<Node> nodes;           // in order of execution
  std::vector<Node> delegate_nodes;  // inside delegates
  int64_t runs = 0;
};

class ProfileSummaryFormatter {
 public:
  ProfileSummaryFormatter() = default;
  virtual ~ProfileSummaryFormatter() = default;

  virtual std::string GetOutputString(const ProfileSummary& summary) const = 0;
  // Number of runs and nodes, mean time of a run.
  virtual std::string GetShortSummary(const ProfileSummary& summary) const;
  // Writes both texts, the first of which may be empty, to a file, or to standard output for an
  // empty path. A file that cannot be written is reported in the log.
  virtual void HandleOutput(const std::string& init_output, const std::string& run_output,
                            const std::string& output_file_path) const;
};

// Tables to read: one line per node, then the operation types by time, then the short summary.
class ProfileSummaryDefaultFormatter : public ProfileSummaryFormatter {
 public:
  std::string GetOutputString(const ProfileSummary& summary) const override;
};

// One line of comma-separated values per node, after a line of titles.
class ProfileSummaryCSVFormatter : public ProfileSummaryFormatter {
 public:
  std::string GetOutputString(const ProfileSummary& summary) const override;
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARY_FORMATTER_H_
