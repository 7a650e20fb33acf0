// SPDX-License-Identifier: Apache-2.0
// Tells numbered lines from plain ones, and names from classes.
#include "cli/answers/labels.h"

#include <algorithm>
#include <optional>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cli/answers/values.h"
#include "cli/inputs/fill.h"

namespace tern::cli {
namespace {

constexpr size_t kLongestLabel = 200;
constexpr int kLargestClass = 1000000;  // no more: a gap takes memory

struct NumberedLine {
  int number = 0;
  absl::string_view name;
};

// "12  person", "12: person", "12,person"; nothing for other lines, a bare number among them.
std::optional<NumberedLine> SplitNumber(absl::string_view line) {
  const size_t end = line.find_first_not_of("0123456789");
  if (end == 0 || end == absl::string_view::npos) return std::nullopt;
  if (absl::string_view(" \t:,").find(line[end]) == absl::string_view::npos) return std::nullopt;
  NumberedLine result{0, absl::StripAsciiWhitespace(line.substr(end + 1))};
  if (!absl::SimpleAtoi(line.substr(0, end), &result.number)) return std::nullopt;
  if (result.number > kLargestClass) return std::nullopt;
  return result;
}

// The lines by their numbers; empty unless every line has one of its own.
std::vector<NumberedLine> AllNumbered(const std::vector<absl::string_view>& lines) {
  std::vector<NumberedLine> numbered;
  std::set<int> seen;
  for (const absl::string_view line : lines) {
    if (line.empty()) continue;
    const std::optional<NumberedLine> split = SplitNumber(line);
    if (!split || !seen.insert(split->number).second) return {};
    numbered.push_back(*split);
  }
  return numbered;
}

}  // namespace

absl::StatusOr<Labels> Labels::Read(const std::string& file) {
  const absl::StatusOr<Bytes> bytes = ReadFile(file);
  if (!bytes.ok()) return bytes.status();
  return Parse({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, file);
}

absl::StatusOr<Labels> Labels::Parse(absl::string_view text, const std::string& name) {
  if (text.find('\0') != absl::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": no text with a label on each line"));
  }
  absl::ConsumePrefix(&text, "\xef\xbb\xbf");
  std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  for (absl::string_view& line : lines) line = absl::StripAsciiWhitespace(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  if (lines.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": no labels in it; a label on each line is expected"));
  }
  Labels labels;
  labels.name_ = name;
  const std::vector<NumberedLine> numbered = AllNumbered(lines);
  labels.numbered_ = !numbered.empty();
  for (const auto& [number, label] : numbered) {
    const auto at = static_cast<size_t>(number);
    if (at >= labels.names_.size()) labels.names_.resize(at + 1);
    labels.names_[at] = OneLine(std::string(label), kLongestLabel);
  }
  if (numbered.empty()) {
    for (const absl::string_view line : lines) {
      labels.names_.push_back(OneLine(std::string(line), kLongestLabel));
    }
  }
  labels.given_ = static_cast<int>(std::count_if(labels.names_.begin(), labels.names_.end(),
                                                 [](const std::string& n) { return !n.empty(); }));
  return labels;
}

// Numbers that begin at 1 leave class 0 to the background.
bool Labels::has_background() const {
  if (names_.empty()) return false;
  const bool from_one = numbered_ && names_[0].empty() && names_.size() > 1 && !names_[1].empty();
  return from_one || names_[0] == "background" || names_[0] == "???";
}

std::string Labels::At(int index) const {
  if (index < 0 || index >= static_cast<int>(names_.size()) ||
      names_[static_cast<size_t>(index)].empty()) {
    return absl::StrCat("class ", index);
  }
  return names_[static_cast<size_t>(index)];
}

std::string Labels::Class(int index, int classes) const {
  const int known = static_cast<int>(names_.size());
  if (known + 1 == classes && !has_background()) {
    return index == 0 ? "background" : At(index - 1);
  }
  if (known == classes + 1 && has_background()) return At(index + 1);
  return At(index);
}

// A number that somebody wrote is the class that he means.
std::string Labels::Detected(int index) const {
  const bool shifted = has_background() && !names_[0].empty();
  return At(shifted ? index + 1 : index);
}

bool Labels::Fits(int classes) const {
  const int known = static_cast<int>(names_.size());
  if (known == classes) return true;
  return has_background() ? known == classes + 1 : known + 1 == classes;
}

std::string Labels::Misfit(int classes) const {
  if (empty() || Fits(classes)) return "";
  return absl::StrCat(name_, ": ", given_, " labels", numbered_ ? " with numbers up to " : "",
                      numbered_ ? absl::StrCat(names_.size() - 1) : "", " for an output of ",
                      classes, " classes: the names may be wrong");
}

std::string Labels::MisfitDetected(int index) const {
  if (empty() || index < 0) return "";
  const std::string name = Detected(index);
  if (name != absl::StrCat("class ", index) && name != absl::StrCat("class ", index + 1)) return "";
  return absl::StrCat(name_, ": ", given_, " labels, none of them for class ", index,
                      ", which was detected: the names may be wrong");
}

}  // namespace tern::cli
