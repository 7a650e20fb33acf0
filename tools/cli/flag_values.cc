// SPDX-License-Identifier: Apache-2.0
// Values of options.
#include "cli/flag_values.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "cli/usage.h"

namespace tern::cli {
namespace {

std::string Plain(double number) { return absl::StrFormat("%.15g", number); }

std::string Expected(const FlagValues& values) {
  switch (values.kind) {
    case FlagValues::Kind::kText:
      return values.name;
    case FlagValues::Kind::kWords:
      return OrList(absl::StrSplit(values.name, '|'));
    case FlagValues::Kind::kWhole:
      return absl::StrCat("a whole number from ", Plain(values.low), " to ", Plain(values.high));
    case FlagValues::Kind::kNumber:
      return absl::StrCat("a number from ", Plain(values.low), " to ", Plain(values.high));
  }
  return "";
}

bool Fits(const FlagValues& values, const std::string& text) {
  if (values.kind == FlagValues::Kind::kText) return !text.empty();
  if (values.kind == FlagValues::Kind::kWords) {
    for (const auto word : absl::StrSplit(values.name, '|')) {
      if (word == text) return true;
    }
    return false;
  }
  int64_t whole = 0;
  if (values.kind == FlagValues::Kind::kWhole && !absl::SimpleAtoi(text, &whole)) return false;
  double number = 0;
  return absl::SimpleAtod(text, &number) && number >= values.low && number <= values.high;
}

}  // namespace

std::string FlagValues::WhyWrong(const std::string& text) const {
  if (Fits(*this, text)) return "";
  return absl::StrCat("expected ", Expected(*this), ", got '", text, "'");
}

}  // namespace tern::cli
