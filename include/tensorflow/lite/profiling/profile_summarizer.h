// SPDX-License-Identifier: Apache-2.0
// Tables of where the time of a model goes.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARIZER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARIZER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/profiling/profile_buffer.h"

namespace tflite {
namespace profiling {

// Collects the events of one or more runs, by node.
class ProfileSummarizer {
 public:
  ProfileSummarizer() = default;
  virtual ~ProfileSummarizer() = default;

  // Adds the events of one run; the interpreter gives the names of outputs and kernels.
  void ProcessProfiles(const std::vector<const ProfileEvent*>& profile_stats,
                       const tflite::Interpreter& interpreter);

  // One line per node in order of execution, then the operation types by time.
  std::string GetOutputString() const;
  // Number of runs and nodes, mean time of a run.
  std::string GetShortSummary() const;
  bool HasProfiles() const { return runs_ > 0; }

 private:
  struct NodeStats {
    std::string type;
    std::string name;
    int64_t first_seen = 0;  // order of execution
    int64_t count = 0;
    uint64_t total_us = 0;
  };

  uint64_t TotalMicroseconds() const;

  std::map<std::pair<int64_t, int64_t>, NodeStats> nodes_;           // by subgraph and node
  std::map<std::pair<int64_t, int64_t>, NodeStats> delegate_nodes_;  // inside delegates
  int64_t runs_ = 0;
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARIZER_H_
