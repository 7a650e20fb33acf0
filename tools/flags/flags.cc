// SPDX-License-Identifier: Apache-2.0
// CLI11, which reads the flags of `tern`, is no help here: it takes `--name=` for a flag whose
// value is the next argument.
#include "flags/flags.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tern::tools {
namespace {

const char* TypeName(FlagType type) {
  switch (type) {
    case FlagType::kBool:
      return "bool";
    case FlagType::kInt:
      return "int32";
    case FlagType::kFloat:
      return "float";
    case FlagType::kText:
      break;
  }
  return "string";
}

bool IsTrue(const std::string& value) { return value == "true" || value == "1"; }

int ToInt(const std::string& value) {
  int number = 0;
  return absl::SimpleAtoi(value, &number) ? number : 0;
}

float ToFloat(const std::string& value) {
  float number = 0;
  return absl::SimpleAtof(value, &number) ? number : 0;
}

bool IsValue(FlagType type, const std::string& value) {
  int integer = 0;
  float number = 0;
  switch (type) {
    case FlagType::kBool:
      return IsTrue(value) || value == "false" || value == "0";
    case FlagType::kInt:
      return absl::SimpleAtoi(value, &integer);
    case FlagType::kFloat:
      return absl::SimpleAtof(value, &number) && std::isfinite(number);
    case FlagType::kText:
      break;
  }
  return true;
}

// As a stream prints the value: bools as 1 or 0, floats with six digits.
std::string Printed(FlagType type, const std::string& value) {
  std::ostringstream text;
  if (type == FlagType::kBool) {
    text << IsTrue(value);
  } else if (type == FlagType::kInt) {
    text << ToInt(value);
  } else if (type == FlagType::kFloat) {
    text << ToFloat(value);
  } else {
    text << value;
  }
  return text.str();
}

}  // namespace

Flags::Flags(const std::vector<Flag>& list) {
  for (const Flag& flag : list) entries_.push_back({flag, flag.value});
}

Flags::Entry& Flags::At(std::string_view name) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [name](const Entry& entry) { return entry.flag.name == name; });
  if (found == entries_.end()) std::abort();
  return *found;
}

bool Flags::Bool(std::string_view name) const { return IsTrue(Text(name)); }
int Flags::Int(std::string_view name) const { return ToInt(Text(name)); }
float Flags::Float(std::string_view name) const { return ToFloat(Text(name)); }

absl::Status Flags::Parse(std::vector<std::string>* arguments) {
  std::vector<std::string> left;
  int position = 0;
  for (const std::string& argument : *arguments) {
    const size_t equals = argument.find('=');
    const auto taken = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return equals != std::string::npos &&
             argument.substr(0, equals) == absl::StrCat("--", entry.flag.name);
    });
    if (taken == entries_.end() || taken->position >= 0) {
      left.push_back(argument);
    } else {
      const std::string value = argument.substr(equals + 1);
      if (!IsValue(taken->flag.type, value)) {
        return absl::InvalidArgumentError(absl::StrCat("Failed to parse flag '", taken->flag.name,
                                                       "' against argv '", argument, "'"));
      }
      taken->value = value;
      taken->position = position;
    }
    ++position;
  }
  *arguments = std::move(left);
  return absl::OkStatus();
}

std::string Flags::Usage(const std::string& program) const {
  size_t width = 0;
  for (const Entry& entry : entries_) {
    width = std::max(width, absl::StrCat("--", entry.flag.name, "=", entry.flag.value).size());
  }
  std::string text = absl::StrCat("usage: ", program, " <flags>\nFlags:\n");
  std::set<std::string> reported;  // several parts of a tool may read one flag
  for (const Entry& entry : entries_) {
    if (!reported.insert(entry.flag.name).second) continue;
    const std::string flag = absl::StrCat("--", entry.flag.name, "=", entry.flag.value);
    absl::StrAppend(&text, "\t", flag, std::string(width - flag.size(), ' '), "\t",
                    TypeName(entry.flag.type), "\toptional\t", entry.flag.usage, "\n");
  }
  return text;
}

std::vector<std::string> Flags::LogLines(bool all) const {
  std::vector<std::string> lines;
  for (const Entry& entry : entries_) {
    const Entry& first = At(entry.flag.name);
    if (entry.flag.label == nullptr) continue;
    if (!all && !entry.flag.always_logged && first.position < 0) continue;
    lines.push_back(
        absl::StrCat(entry.flag.label, ": [", Printed(first.flag.type, first.value), "]"));
  }
  return lines;
}

}  // namespace tern::tools
