// SPDX-License-Identifier: Apache-2.0
// Values of options of the command line: which fit, how help shows them, and the words for other
// ones.
#ifndef TERN_TOOLS_CLI_FLAG_VALUES_H_
#define TERN_TOOLS_CLI_FLAG_VALUES_H_

#include <string>

namespace tern::cli {

struct FlagValues {
  enum class Kind { kText, kWords, kWhole, kNumber };

  Kind kind = Kind::kText;
  const char* name = "";  // in help: "FILE", "N", "f32|f16"
  double low = 0, high = 0;

  // Empty for a value that fits, else what was expected: "expected f32 or f16, got 'f8'".
  std::string WhyWrong(const std::string& text) const;
};

// Any text but none.
constexpr FlagValues Text(const char* name) { return {FlagValues::Kind::kText, name}; }
// One of the words between bars.
constexpr FlagValues Words(const char* words) { return {FlagValues::Kind::kWords, words}; }
// Numbers from `low` to `high`.
constexpr FlagValues Whole(double low, double high) {
  return {FlagValues::Kind::kWhole, "N", low, high};
}
constexpr FlagValues Number(const char* name, double low, double high) {
  return {FlagValues::Kind::kNumber, name, low, high};
}

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_FLAG_VALUES_H_
