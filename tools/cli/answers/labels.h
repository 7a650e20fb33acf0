// SPDX-License-Identifier: Apache-2.0
// Names of classes: a text with one name per line, with or without the number of the class.
#ifndef TERN_TOOLS_CLI_ANSWERS_LABELS_H_
#define TERN_TOOLS_CLI_ANSWERS_LABELS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tern::cli {

class Labels {
 public:
  Labels() = default;
  static absl::StatusOr<Labels> Read(const std::string& file);
  // Parses labels from a text; `name` stands in messages. Where every line begins with a number of
  // its own, the number is the class, and there may be gaps; else lines are counted from 0.
  static absl::StatusOr<Labels> Parse(absl::string_view text, const std::string& name);

  bool empty() const { return names_.empty(); }
  // The name of class `index` of a classifier with `classes` classes (0: not known): a background
  // entry that only one of the two sides has is accounted for.
  std::string Class(int index, int classes) const;
  // The name of a detected class; detectors do not count the background.
  std::string Detected(int index) const;
  // Whether the names are those of `classes` classes, give or take the background.
  bool Fits(int classes) const;
  // Why they do not fit, in one line; empty where they do and where there are none.
  std::string Misfit(int classes) const;
  // Why labels do not fit the class of a detector.
  std::string MisfitDetected(int index) const;

 private:
  bool has_background() const;
  std::string At(int index) const;

  std::string name_;
  bool numbered_ = false;
  int given_ = 0;                   // without the gaps
  std::vector<std::string> names_;  // by class; empty in a gap
};

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ANSWERS_LABELS_H_
