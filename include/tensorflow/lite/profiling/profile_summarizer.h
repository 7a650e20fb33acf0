// SPDX-License-Identifier: Apache-2.0
// Tables of where the time of a model goes.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARIZER_H_
#define TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARIZER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
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

  // Adds the events of one run; the interpreter gives the names of outputs and subgraphs.
  void ProcessProfiles(const std::vector<const ProfileEvent*>& profile_stats,
                       const tflite::Interpreter& interpreter);

  // Return the summary as the formatter writes it. The first subgraph is there even when nothing
  // ran.
  std::string GetOutputString() const { return formatter_->GetOutputString(Summary()); }
  std::string GetShortSummary() const { return formatter_->GetShortSummary(Summary()); }
  bool HasProfiles() const;

 private:
  struct Table {
    // The row of that name, added when there is none.
    ProfileSummary::Row* Row(const std::string& name, const std::string& type, int64_t order);

    ProfileSummary::Table table;
    std::map<std::string, size_t> places;  // by name
  };

  ProfileSummary Summary() const;

  std::shared_ptr<ProfileSummaryFormatter> formatter_;
  std::map<int, Table> subgraphs_ = {{0, {}}};
  Table delegates_;
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_PROFILE_SUMMARIZER_H_
