// SPDX-License-Identifier: Apache-2.0
// A scanner for names and numbers; the rest passes through.
#include "gpu/desc/words.h"

namespace tern::gpu {
namespace {

bool IsWord(char c) { return IsLetter(c) || c == '_' || IsDigit(c); }

size_t SkipDigits(std::string_view text, size_t at) {
  while (at < text.size() && IsDigit(text[at])) ++at;
  return at;
}

// End of the digits, point and exponent of the number that starts at `at`.
size_t NumberEnd(std::string_view text, size_t at, bool& is_real) {
  at = SkipDigits(text, at);
  if (at < text.size() && text[at] == '.') {
    is_real = true;
    at = SkipDigits(text, at + 1);
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    size_t digits = at + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    if (digits < text.size() && IsDigit(text[digits])) {
      is_real = true;
      at = SkipDigits(text, digits);
    }
  }
  return at;
}

template <typename Visit>
void ForEachWord(std::string_view text, Visit visit) {
  for (size_t i = 0; i < text.size();) {
    if (!IsWord(text[i])) {
      ++i;
      continue;
    }
    const size_t start = i;
    while (i < text.size() && IsWord(text[i])) ++i;
    if (!IsDigit(text[start])) visit(start, text.substr(start, i - start));
  }
}

}  // namespace

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Words Identifiers(std::string_view text) {
  Words words;
  ForEachWord(text, [&](size_t, std::string_view word) { words.emplace(word); });
  return words;
}

std::vector<size_t> FindWord(std::string_view text, std::string_view word) {
  std::vector<size_t> found;
  ForEachWord(text, [&](size_t at, std::string_view other) {
    if (other == word) found.push_back(at);
  });
  return found;
}

std::string WithWord(std::string text, std::string_view word, const std::string& other) {
  const std::vector<size_t> places = FindWord(text, word);
  for (auto at = places.rbegin(); at != places.rend(); ++at) text.replace(*at, word.size(), other);
  return text;
}

std::string SuffixReals(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    if (IsDigit(text[i])) {
      bool is_real = false;
      i = NumberEnd(text, i, is_real);
      const bool suffixed = i < text.size() && IsWord(text[i]);
      out += text.substr(start, i - start);
      if (is_real && !suffixed) out += 'f';
      while (i < text.size() && IsWord(text[i])) out += text[i++];
    } else if (IsWord(text[i])) {
      while (i < text.size() && IsWord(text[i])) ++i;
      out += text.substr(start, i - start);
    } else {
      out += text[i++];
    }
  }
  return out;
}

}  // namespace tern::gpu
