// SPDX-License-Identifier: Apache-2.0
// Tables of where the time of a model goes.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARIZER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARIZER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/profiling/profile_buffer.h"
#include "tensorflow/lite/profiling/profile_summary_formatter.h"

namespace tflite {
namespace profiling {

// Collects the events of one or more runs, by node.
class ProfileSummarizer {
 public:
  // A null formatter is the default one.
  explicit ProfileSummarizer(std::shared_ptr<ProfileSummaryFormatter> summary_formatter = nullptr);
  virtual ~ProfileSummarizer() = default;

  // Adds the events of one run; the interpreter gives the names of outputs and kernels.
  void ProcessProfiles(const std::vector<const ProfileEvent*>& profile_stats,
                       const tflite::Interpreter& interpreter);

  // What the formatter makes of it.
  std::string GetOutputString() const { return formatter_->GetOutputString(Summary()); }
  std::string GetShortSummary() const { return formatter_->GetShortSummary(Summary()); }
  bool HasProfiles() const { return runs_ > 0; }

 private:
  struct NodeStats {
    ProfileSummary::Node node;
    int64_t first_seen = 0;  // order of execution
  };
  using NodesByIndex = std::map<std::pair<int64_t, int64_t>, NodeStats>;  // subgraph, node

  ProfileSummary Summary() const;
  static std::vector<ProfileSummary::Node> InOrder(const NodesByIndex& nodes);

  std::shared_ptr<ProfileSummaryFormatter> formatter_;
  NodesByIndex nodes_;
  NodesByIndex delegate_nodes_;  // inside delegates
  int64_t runs_ = 0;
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARIZER_H_
