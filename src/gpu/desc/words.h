// SPDX-License-Identifier: Apache-2.0
// Kernel text as words: which names occur, and literals with their suffix.
#ifndef TERN_GPU_DESC_WORDS_H_
#define TERN_GPU_DESC_WORDS_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tern::gpu {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

using Words = std::set<std::string, std::less<>>;

// The text without blanks at its ends.
std::string_view Trim(std::string_view text);

// Every identifier of the text; "src_read" for "src_read(x, y, s, b)".
Words Identifiers(std::string_view text);

// Where `word` stands as a whole identifier.
std::vector<size_t> FindWord(std::string_view text, std::string_view word);

// The text with another one in the places of `word`.
std::string WithWord(std::string text, std::string_view word, const std::string& other);

// "0.5" becomes "0.5f", "1.0e-5" becomes "1.0e-5f"; literals that have a suffix and ints stay.
std::string SuffixReals(std::string_view text);

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_WORDS_H_
