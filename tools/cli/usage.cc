// SPDX-License-Identifier: Apache-2.0
// Usage, version and guesses at words.
#include "cli/usage.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tensorflow/lite/version.h"

namespace tern::cli {
namespace {

// Letters to add, drop, change or swap with the next, from one word to the other.
size_t Slips(const std::string& from, const std::string& to) {
  std::vector<size_t> before, above(to.size() + 1), row(to.size() + 1);
  for (size_t j = 0; j <= to.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= to.size(); ++j) {
      const size_t change = from[i - 1] == to[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[to.size()];
}

}  // namespace

std::string DidYouMean(const std::string& word, const std::vector<std::string>& known) {
  size_t min = std::max<size_t>(2, word.size() / 3 + 1);  // that many are another word
  std::string nearest;
  for (const std::string& other : known) {
    const size_t slips = Slips(word, other);
    if (slips >= min) continue;
    min = slips;
    nearest = other;
  }
  return nearest.empty() ? "" : absl::StrCat("; did you mean ", nearest, "?");
}

std::string OrList(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  }
  return text;
}

std::string UsageText(const std::vector<std::pair<std::string, std::string>>& verbs) {
  std::string text =
      "tern runs, checks, times and shows .tflite models on the CPU and on GPUs.\n\n"
      "usage: tern VERB [OPTION]... ARGUMENT...\n\n";
  for (const auto& [name, about] : verbs) absl::StrAppendFormat(&text, "  %-9s %s\n", name, about);
  return text +
         "\ntern VERB --help lists the options of a verb, tern --version tells the version.\n";
}

std::string VersionText() {
  return absl::StrCat("tern ", TERN_VERSION, ", with the interface of TensorFlow Lite ",
                      TFLITE_VERSION_STRING, "\n");
}

}  // namespace tern::cli
